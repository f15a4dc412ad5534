//@ revisions: right left
//@ verdict: safe
//@[left] verdict: unsafe(deadlock)
//@[left] cflags: -DLEFT
//@[right] executions: 10
//@[right] source: both wait before the requeue (which wakes either: 2), one does (the other may be too late: 2 · 2), none (4)
// One thread that waits is woken, and the others wait elsewhere from then on, without going on in between.
#include "../threads.h"
#include "futex.h"
#include <assert.h>
static atomic_uint from, to;

static void *waits(void *arg) {
  futex_wait(&from, 0); //~[left] deadlock
  return arg;
}

int main(void) {
  start_all(2, (routine *[]){waits, waits});
  long concerned = syscall(SYS_futex, &from, FUTEX_CMP_REQUEUE_PRIVATE, 1, INT_MAX, &to, 0);
  assert(0 <= concerned && concerned <= 2);
#ifndef LEFT
  long moved = futex_wake(&to, INT_MAX);
  assert(moved == (concerned == 2));
#endif
  from = 1;
  assert(futex_wake(&from, INT_MAX) + concerned <= 2);
  assert(syscall(SYS_futex, &from, FUTEX_CMP_REQUEUE_PRIVATE, 1, INT_MAX, &to, 0) == -1 && errno == EAGAIN);
  join_all(2);
}
