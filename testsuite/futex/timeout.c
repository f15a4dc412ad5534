//@ revisions: woken never
//@ verdict: safe
//@[woken] executions: 3
//@[woken] source: the wake-up comes before the thread waits, while it does, or behind the end of the time
//@[never] cflags: -DNEVER
//@[never] executions: 1
//@[never] source: the time is over
//@[never] native: run
// A thread that waits for a time goes on when it is over.
#include "futex.h"
#include <assert.h>
#include <pthread.h>
#include <time.h>
static atomic_uint word;

static void *waits(void *arg) {
  struct timespec time = {0, 1000}, wrong = {0, -1};
  assert(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &wrong) == -1 && errno == EINVAL);
  long result = syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &time);
  assert(result == 0 || (result == -1 && errno == ETIMEDOUT));
#ifdef NEVER
  assert(result == -1);
#endif
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, waits, 0);
#ifndef NEVER
  futex_wake(&word, 1);
#endif
  pthread_join(thread, 0);
  assert(syscall(SYS_futex, (char *)&word + 1, FUTEX_WAKE_PRIVATE, 1) == -1 && errno == EINVAL);
}
