//@ verdict: unsafe(livelock)
//@ revisions: block variable
//@[block] cflags: -DBLOCK
//@ awaits: 2
//@ source: the orders of two writes; main reads the last one, or waits for ever
//@ cutoffs: needed
// Which of two writes comes last decides whether main waits for ever, for a place on the heap or in a variable of its own.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static void *sets(void *arg) {
  atomic_store((atomic_int *)arg, 1);
  return 0;
}

static void *loses(void *arg) {
  atomic_store((atomic_int *)arg, 2);
  return 0;
}

int main(void) {
  pthread_t one, two;
#ifdef BLOCK
  atomic_int *place = malloc(sizeof *place);
  if (!place)
    return 0;
#else
  atomic_int variable, *place = &variable;
#endif
  atomic_init(place, 0);
  pthread_create(&one, 0, sets, place);
  pthread_create(&two, 0, loses, place);
  pthread_join(one, 0);
  pthread_join(two, 0);
  while (atomic_load(place) != 1) //~ livelock
    ;
#ifdef BLOCK
  free(place);
#endif
  return 0;
}
