//@ revisions: inside outside
//@[inside] verdict: unsafe(deadlock)
//@[outside] verdict: safe
//@[outside] cflags: -DOUTSIDE
//@[inside] executions: 2
//@[outside] executions: 1
//@ source: the orders of the two critical sections; main's comes first: stuck when it joins inside. Else they touch nothing, and have no order
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
  pthread_mutex_lock(&m); //~[inside] deadlock
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_mutex_lock(&m);
#ifdef OUTSIDE
  pthread_mutex_unlock(&m);
#endif
  pthread_join(t, 0);
#ifndef OUTSIDE
  pthread_mutex_unlock(&m);
#endif
  return 0;
}
