//@ revisions: right impatient
//@ verdict: safe
//@[impatient] verdict: unsafe(data-race)
//@[impatient] cflags: -DIMPATIENT
//@ cutoffs: needed
//@ source: own; a trylock that fails sees the other thread's lock without being ordered with it
// Two threads for ever try to lock instead of waiting. One that goes in once, though it failed twice, meets the other one.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *worker(void *arg) {
  while (1) {
    int failed = 0;
    while (pthread_mutex_trylock(&m)) {
#ifdef IMPATIENT
      if (++failed == 2)
        break;
#endif
    }
    inside++; //~[impatient] data-race
#ifndef IMPATIENT
    assert(inside == 1);
#endif
    inside--; //~[impatient] data-race
    if (failed < 2)
      pthread_mutex_unlock(&m);
#ifdef IMPATIENT
    break;
#endif
  }
  return arg;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, worker, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
}
