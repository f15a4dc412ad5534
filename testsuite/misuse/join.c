//@ revisions: twice detached never proper
//@[twice detached never] verdict: unsafe(misuse)
//@[twice] cflags: -DTWICE
//@[detached] cflags: -DDETACH
//@[never] cflags: -DNEVER
//@[proper] verdict: safe
//@[proper] native: run
#include <pthread.h>

static void *worker(void *arg) {
  return 0;
}

int main(void) {
  pthread_t t = 0;
#ifndef NEVER
  pthread_create(&t, 0, worker, 0);
#endif
#ifdef DETACH
  pthread_detach(t);
#endif
  pthread_join(t, 0); //~[detached never] misuse
#ifdef TWICE
  pthread_join(t, 0); //~[twice] misuse
#endif
  return 0;
}
