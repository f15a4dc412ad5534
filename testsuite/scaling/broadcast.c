//@ verdict: safe
//@ revisions: n1 n2 n3 n4
//@[n1] cflags: -DN=1
//@[n1] executions: 2
//@[n1] observers: 2
//@[n2] cflags: -DN=2
//@[n2] executions: 10
//@[n2] observers: 10
//@[n3] cflags: -DN=3
//@[n3] executions: 96
//@[n3] observers: 96
//@[n4] cflags: -DN=4
//@[n4] executions: 1560
//@[n4] observers: 1560
//@[n3 n4] naive: no
//@ source: k of n waiters come before main, in n!/(n-k)! orders; behind it all take the lock in n! orders: n! * sum of n!/j!, j = 0 to n
//@ native: run
// Some wait to be told, others come when that has been said.
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t told = PTHREAD_COND_INITIALIZER;
static int ready;

static void *wait(void *arg) {
  pthread_mutex_lock(&mutex);
  while (!ready)
    pthread_cond_wait(&told, &mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++)
    pthread_create(&threads[i], 0, wait, 0);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_broadcast(&told);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
  return 0;
}
