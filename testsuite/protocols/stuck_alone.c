//@ revisions: advances stands_still
//@[advances] verdict: safe
//@[advances] cflags: -DSTEP=step+1
//@[stands_still] verdict: unsafe(endless-loop)
//@[stands_still] cflags: -DSTEP=step
//@ source: by hand: who has read 0 adds 0 for ever
//@ orders: 2
//@ cutoffs: needed
// A loop without any visible action that depends on what was read before, beside a thread that goes on for ever.
#include "../threads.h"
#include <stdatomic.h>
static atomic_int shared;

static void *flips(void *arg) {
  while (1)
    shared ^= 1;
}

static void *counts(void *arg) {
  while (1) {
    int step = shared;
    for (int i = 0; i < 4;)
      i += STEP; //~[stands_still] endless-loop
  }
}

int main(void) {
  run_all(2, (routine *[]){flips, counts});
  return 0;
}
