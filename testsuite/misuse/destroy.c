//@ revisions: locked used_after again proper
//@[locked used_after again] verdict: unsafe(misuse)
//@[locked] cflags: -DLOCKED
//@[used_after] cflags: -DUSE
//@[again] cflags: -DAGAIN
//@[proper] verdict: safe
//@[proper] native: run
#include <pthread.h>

int main(void) {
  pthread_mutex_t m;
  pthread_mutex_init(&m, 0);
  pthread_mutex_lock(&m);
#ifndef LOCKED
  pthread_mutex_unlock(&m);
#endif
  pthread_mutex_destroy(&m); //~[locked] misuse
#ifdef USE
  pthread_mutex_lock(&m); //~[used_after] misuse
#endif
#ifdef AGAIN
  pthread_mutex_destroy(&m); //~[again] misuse
#endif
  return 0;
}
