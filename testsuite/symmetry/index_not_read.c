//@ verdict: safe
//@ revisions: n3 n4
//@[n3] cflags: -DN=3
//@[n4] cflags: -DN=4
//@ alike: 1
//@[n3] executions: 6
//@[n4] executions: 24
//@[n4] naive: no
//@ source: each thread gets its index, at which it does not look: n! orders, which differ only in which thread is which
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
  for (long i = 0; i < N; i++)
    pthread_create(&threads[i], 0, thread, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
  assert(x == 1);
  return 0;
}
