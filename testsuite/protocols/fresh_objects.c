//@ revisions: frame heap handed_over thread
//@ verdict: safe
//@[frame] cflags: -DROUND=frame
//@[heap] cflags: -DROUND=heap
//@[handed_over] cflags: -DROUND=handed_over
//@[thread] cflags: -DROUND=thread
//@ source: by hand: each round ends in the state in which it began
//@ orders: 2
//@ cutoffs: needed
// What is made in each round and gone at its end: a variable of a called function, an allocation, one that the other
// thread frees, a thread. A new one each time is no new state.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int toggled;
static int *_Atomic box;

static void look(int *place) {
  *place = toggled;
}

static void frame(long me) {
  int seen;
  look(&seen);
  toggled = !seen;
}

static void heap(long me) {
  int *own = malloc(sizeof *own);
  *own = toggled;
  toggled = !*own;
  free(own);
}

static void handed_over(long me) {
  if (me == 0) {
    int *full = malloc(sizeof *full);
    *full = 7;
    box = full;
    while (box)
      ;
  } else {
    int *taken;
    while (!(taken = box))
      ;
    assert(*taken == 7);
    free(taken);
    box = 0;
  }
}

static void *toggles(void *arg) {
  toggled ^= 1;
  return 0;
}

static void thread(long me) {
  pthread_t child;
  pthread_create(&child, 0, toggles, 0);
  pthread_join(child, 0);
}

static void *worker(void *arg) {
  while (1)
    ROUND((long)arg);
}

int main(void) {
  run_copies(2, worker);
  return 0;
}
