//@ revisions: right swapped late
//@ verdict: safe
//@[swapped] verdict: unsafe(assertion)
//@[swapped] cflags: -DSWAPPED
//@[late] verdict: unsafe(livelock)
//@[late] cflags: -DLATE
//@ source: the latches of PostgreSQL, one for each of two workers; table 2 of unfolding-based POR, 2015
//@ orders: 2
//@ cutoffs: needed
// Workers hand a task to and fro: the flag says that there is one, the latch wakes the worker up. A latch that is set
// first wakes somebody who has nothing to do; a latch that is reset last forgets what came in the meantime.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
static atomic_int latch[2] = {1, 0}, task[2] = {1, 0};

static void *worker(void *arg) {
  long me = (long)arg, other = 1 - me;
  while (1) {
    while (!latch[me]) //~[late] livelock
      ;
#ifndef LATE
    latch[me] = 0;
#endif
    assert(task[me]); //~[swapped] assertion
    task[me] = 0;
#ifdef SWAPPED
    latch[other] = 1;
    task[other] = 1;
#else
    task[other] = 1;
    latch[other] = 1;
#endif
#ifdef LATE
    latch[me] = 0;
#endif
  }
}

int main(void) {
  run_copies(2, worker);
  return 0;
}
