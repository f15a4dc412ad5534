//@ verdict: safe
//@ revisions: n1 n2 n3 n4
//@[n1] cflags: -DN=1
//@[n1] executions: 5
//@[n2] cflags: -DN=2
//@[n2] executions: 13
//@[n3] cflags: -DN=3
//@[n3] executions: 33
//@[n4] cflags: -DN=4
//@[n4] executions: 89
//@[n3 n4] naive: no
//@[n1 n2 n3] orders: 3
//@ source: 3^n + 2n: if nobody is woken, each of n threads is before, between, or behind its two waits; or one of 2n waits is ended
//@ native: run
// Each of n threads waits twice on a futex, not for long, and at most one of them is woken.
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
long syscall(long, ...);
static const struct timespec soon = {0, 1000};
static atomic_int place;

static void *waits_twice(void *arg) {
  syscall(202, &place, 0, 0, &soon);
  syscall(202, &place, 0, 0, &soon);
  return arg;
}

int main(void) {
  pthread_t threads[N];
  for (long i = 0; i < N; i++)
    pthread_create(&threads[i], 0, waits_twice, 0);
  syscall(202, &place, 1, 1);
  for (long i = 0; i < N; i++)
    pthread_join(threads[i], 0);
  return 0;
}
