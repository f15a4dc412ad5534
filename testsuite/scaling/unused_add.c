//@ verdict: safe
//@ revisions: n1 n2 n3 n4 n5 alone2 alone4
//@[n1] cflags: -DN=1
//@[n1] executions: 2
//@[n1] observers: 2
//@[n2] cflags: -DN=2
//@[n2] executions: 6
//@[n2] observers: 4
//@[n3] cflags: -DN=3
//@[n3] executions: 24
//@[n3] observers: 8
//@[n4] cflags: -DN=4
//@[n4] executions: 120
//@[n4] observers: 16
//@[n5] cflags: -DN=5
//@[n5] executions: 720
//@[n5] observers: 32
//@[alone2] cflags: -DN=2 -DALONE
//@[alone2] executions: 2
//@[alone2] observers: 1
//@[alone4] cflags: -DN=4 -DALONE
//@[alone4] executions: 24
//@[alone4] observers: 1
//@[n4 n5] naive: no
//@[n3 alone4] slow: naive
//@ source: (n+1)!, the orders of n updates and a read; observers: which updates come before the read, 2^n; n! and 1 if nobody reads before the end
//@ native: run
// Threads count, one looks meanwhile unless they are alone, and all is counted in the end.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int count;

static void *add(void *arg) {
  atomic_fetch_add(&count, 1);
  return 0;
}

#ifdef ALONE
#define OTHERS 0
#else
#define OTHERS 1
static void *look(void *arg) {
  assert(count <= N);
  return 0;
}
#endif

int main(void) {
  pthread_t threads[N + OTHERS];
  for (int i = 0; i < N; i++)
    pthread_create(&threads[i], 0, add, 0);
#ifndef ALONE
  pthread_create(&threads[N], 0, look, 0);
#endif
  for (int i = 0; i < N + OTHERS; i++)
    pthread_join(threads[i], 0);
  assert(count == N);
  return 0;
}
