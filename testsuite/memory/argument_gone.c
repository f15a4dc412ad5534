//@ revisions: gone joined
//@[gone] verdict: unsafe(memory)
//@[joined] verdict: safe
//@[joined] cflags: -DJOIN
// The creator returns while the thread still uses its local variable; a lock orders the two, so it is no race.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_t t;
static int *shared;

static void *worker(void *arg) {
  pthread_mutex_lock(&m);
  *shared = 1; //~[gone] memory
  pthread_mutex_unlock(&m);
  return 0;
}

static void start(void) {
  int local = 0;
  shared = &local;
  pthread_create(&t, 0, worker, 0);
#ifdef JOIN
  pthread_join(t, 0);
#endif
}

int main(void) {
  pthread_mutex_lock(&m);
#ifdef JOIN
  pthread_mutex_unlock(&m);
#endif
  start();
#ifndef JOIN
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
#endif
  return 0;
}
