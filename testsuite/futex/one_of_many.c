//@ verdict: safe
//@ revisions: n1 n2 n5 n16
//@[n1] cflags: -DN=1
//@[n1] executions: 2
//@[n2] cflags: -DN=2
//@[n2] executions: 3
//@[n5] cflags: -DN=5
//@[n5] executions: 6
//@[n16] cflags: -DN=16
//@[n16] executions: 17
//@[n5 n16] naive: no
//@[n16] states: no
//@[n1 n2] orders: 3
//@ source: n + 1: one of n threads is woken, or none since none waits yet (2^n parts of what happens have no wake in them)
//@ native: run
// Many threads wait on a futex, and one of them at most is woken.
#include <pthread.h>
#include <stdatomic.h>
long syscall(long, ...);
static atomic_int place;

static void *waits(void *arg) {
  syscall(202, &place, 0, 0, 0L);
  return arg;
}

int main(void) {
  pthread_t threads[N];
  for (long i = 0; i < N; i++)
    pthread_create(&threads[i], 0, waits, 0);
  syscall(202, &place, 1, 1);
  return 0;
}
