//@ revisions: early late
//@[early] verdict: unsafe(misuse)
//@[early] cflags: -DEARLY
//@[late] verdict: safe
//@[late] native: run
// Destroyed before, during or after the section: two of the three are wrong.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
  pthread_mutex_lock(&m); //~[early] misuse
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
#ifdef EARLY
  pthread_mutex_destroy(&m); //~[early] misuse
#endif
  pthread_join(t, 0);
#ifndef EARLY
  pthread_mutex_destroy(&m);
#endif
  return 0;
}
