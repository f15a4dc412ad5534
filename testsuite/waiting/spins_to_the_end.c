//@ verdict: safe
//@ revisions: returns exits detached tries polls
//@[exits] cflags: -DEXITS
//@[detached] cflags: -DDETACHED
//@[tries] cflags: -DTRIES
//@[polls] cflags: -DPOLLS
//@ source: by hand: the process ends, and its threads with it
//@ cutoffs: needed
// A thread spins for what never comes, but main does not wait for that: the process ends. Before that it can end at any
// time, and after that nobody spins.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag;
static int found;

static void *spins(void *arg) {
#if defined(TRIES)
  while (pthread_mutex_trylock(&m))
    ;
#elif defined(POLLS)
  for (int done = 0; !done;) {
    pthread_mutex_lock(&m);
    done = found;
    pthread_mutex_unlock(&m);
  }
#else
  while (!flag)
    ;
#endif
  return arg;
}

int main(void) {
  pthread_t thread;
#ifdef TRIES
  pthread_mutex_lock(&m);
#endif
  pthread_create(&thread, 0, spins, 0);
#ifdef DETACHED
  pthread_detach(thread);
#endif
#ifdef EXITS
  exit(0);
#endif
  return 0;
}
