//@ verdict: safe
//@ revisions: n9 n17 n19
//@[n9] cflags: -DTHREADS=8
//@[n9] executions: 16
//@[n17] cflags: -DTHREADS=16
//@[n17] executions: 256
//@[n19] cflags: -DTHREADS=18
//@[n19] executions: 512
//@ naive: no
//@[n9] slow: states
//@[n17 n19] states: no
//@ source: Ccnf(n) in table 1 of unfolding-based POR, 2015: n-1 threads in pairs, 2^((n-1)/2)
//@ native: run
// Each pair writes a variable of its own. Few events, and yet so many executions.
#include <assert.h>
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
  for (int i = 0; i < THREADS / 2; i++)
    assert(last[i] != 0);
  return 0;
}
