//@ revisions: local heap initialised zero_static
//@[local heap] verdict: unsafe(misuse)
//@[heap] cflags: -DHEAP
//@[initialised zero_static] verdict: safe
//@[initialised] cflags: -DINIT
//@[zero_static] cflags: -DSTORAGE=static
#include <pthread.h>
#include <stdlib.h>
#ifndef STORAGE
#define STORAGE
#endif

int main(void) {
#ifdef HEAP
  pthread_mutex_t *m = malloc(sizeof *m);
#else
  STORAGE pthread_mutex_t storage;
  pthread_mutex_t *m = &storage;
#endif
#ifdef INIT
  pthread_mutex_init(m, 0);
#endif
  pthread_mutex_lock(m); //~[local heap] misuse
  pthread_mutex_unlock(m);
#ifdef HEAP
  free(m);
#endif
  return 0;
}
