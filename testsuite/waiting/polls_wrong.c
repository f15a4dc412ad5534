//@ revisions: valueless race null bounds unset
//@[valueless] verdict: unsafe(uninitialised)
//@[valueless] cflags: -DVALUELESS
//@[race] verdict: unsafe(data-race)
//@[race] cflags: -DRACE
//@[null] verdict: unsafe(memory)
//@[null] cflags: -DNULLED
//@[bounds] verdict: unsafe(memory)
//@[bounds] cflags: -DBOUNDS
//@[unset] verdict: unsafe(uninitialised)
//@[unset] cflags: -DUNSET
//@ cutoffs: needed
// A thread polls. Only turns in vain do something wrong: any of them, where the variable has lost its value for a while,
// or only every other one, in which more is read than in the turns beside it.
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct pair { int first, second; } pair;
static int done, other, *place, array[4];

static void *waits(void *arg) {
  for (int odd = 0;; odd ^= 1) {
    pthread_mutex_lock(&m);
#ifdef VALUELESS
    int found = pair.second;
#else
    int found = done;
#endif
    if (odd) {
#ifdef RACE
      (void)*(volatile int *)&other; //~[race] data-race
#elif defined(NULLED)
      (void)*(volatile int *)place; //~[null] memory
#elif defined(UNSET)
      if (*place) sched_yield(); //~[unset] uninitialised
#endif
    }
#ifdef BOUNDS
    (void)*(volatile int *)&array[100 * odd]; //~[bounds] memory
#endif
    pthread_mutex_unlock(&m);
    if (found) return 0; //~[valueless] uninitialised
  }
}

int main(void) {
#ifdef UNSET
  place = malloc(sizeof *place);
  if (!place) return 0;
#endif
  pthread_t thread;
  pthread_create(&thread, 0, waits, 0);
#ifdef RACE
  other = 1; //~[race] data-race
#endif
#ifdef VALUELESS
  pthread_mutex_lock(&m);
  struct pair half;
  half.first = 1;
  pair = half;
  pthread_mutex_unlock(&m);
#endif
  pthread_mutex_lock(&m);
  done = 1;
  pair.second = 1;
  pthread_mutex_unlock(&m);
  pthread_join(thread, 0);
  free(place);
  return 0;
}
