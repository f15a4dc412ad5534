//@ verdict: safe
//@ revisions: n2 n4 n6
//@[n2] cflags: -DTHREADS=2
//@[n2] executions: 2
//@[n4] cflags: -DTHREADS=4
//@[n4] executions: 4
//@[n6] cflags: -DTHREADS=6
//@[n6] executions: 8
//@ observers: 1
//@[n6] naive: no
//@[n4] slow: naive
//@ source: two writes in each of n/2 pairs, 2^(n/2); nobody reads them
//@ native: run
#include <pthread.h>
#include <stdatomic.h>
static atomic_int last[THREADS / 2];

static void *writer(void *arg) {
  long i = (long)arg;
  last[i / 2] = 1 + (int)(i % 2);
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; i++)
    pthread_create(&threads[i], 0, writer, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], 0);
  return 0;
}
