//@ verdict: unsafe(deadlock)
//@ revisions: held free
//@[free] verdict: safe
//@[free] cflags: -DFREE
//@[free] executions: 2
//@ source: own; two sections of one mutex come in two orders
// A thread waits for the end of another one while it holds the lock that this one needs.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *worker(void *arg) {
  pthread_mutex_lock(&m); //~[held] deadlock
  n++;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t one;
  pthread_create(&one, 0, worker, 0);
  pthread_mutex_lock(&m);
  n++;
#ifdef FREE
  pthread_mutex_unlock(&m);
#endif
  pthread_join(one, 0);
#ifndef FREE
  pthread_mutex_unlock(&m);
#endif
  return 0;
}
