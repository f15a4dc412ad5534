//@ revisions: free stranger owner
//@[free stranger] verdict: unsafe(misuse)
//@[free] cflags: -DFREE
//@[stranger] cflags: -DSTRANGER
//@[owner] verdict: safe
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
#ifndef STRANGER
  pthread_mutex_lock(&m);
#endif
  pthread_mutex_unlock(&m); //~[stranger] misuse
#ifdef FREE
  pthread_mutex_unlock(&m); //~[free] misuse
#endif
  return 0;
}

int main(void) {
  pthread_t t;
#ifdef STRANGER
  pthread_mutex_lock(&m);
#endif
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  return 0;
}
