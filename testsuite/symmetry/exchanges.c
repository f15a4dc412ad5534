//@ verdict: safe
//@ revisions: n2 n3 n4 n5
//@[n2] cflags: -DN=2
//@[n3] cflags: -DN=3
//@[n4] cflags: -DN=4
//@[n5] cflags: -DN=5
//@ alike: 1
//@[n2] executions: 2
//@[n3] executions: 6
//@[n4] executions: 24
//@[n5] executions: 120
//@[n4 n5] naive: no
//@ source: n! orders of n exchanges, which differ only in which thread is which
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;

static void *thread(void *arg) {
  int before = atomic_exchange(&x, 1);
  assert(before == 0 || before == 1);
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++)
    pthread_create(&threads[i], 0, thread, 0);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
  assert(x == 1);
  return 0;
}
