//@ revisions: any first
//@ verdict: safe
//@ executions: 8
//@ source: the wake-up of one comes before all that wait (each of two may be too late: 4), or wakes either (the other may be: 2 · 2)
//@[first] verdict: unsafe(assertion)
//@[first] cflags: -DFIRST
// Of two threads that wait, either may be woken.
#include "../threads.h"
#include "futex.h"
#include <assert.h>
static atomic_uint word;

static void *waits(void *arg) {
  futex_wait(&word, 0);
  return arg;
}

int main(void) {
  start_all(2, (routine *[]){waits, waits});
  long one = futex_wake(&word, 1);
  word = 1;
  long rest = futex_wake(&word, INT_MAX);
  join_all(2);
  assert(one <= 1 && one + rest <= 2);
#ifdef FIRST
  assert(rest != 1 || one != 1); //~[first] assertion
#endif
}
