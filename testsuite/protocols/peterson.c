//@ revisions: right swapped plain plain_swapped
//@ verdict: safe
//@[swapped plain_swapped] verdict: unsafe(assertion)
//@[swapped plain_swapped] cflags: -DSWAPPED
//@[plain plain_swapped] cflags: -DSHARED=int
//@[plain plain_swapped] args: --check assertion
//@ source: Peterson, Myths about the mutual exclusion problem, 1981; table 2 of unfolding-based POR, 2015
//@ orders: 2
//@ cutoffs: needed
// Who gives way before announcing itself may give way to nobody.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
#ifndef SHARED
#define SHARED atomic_int
#endif
static SHARED wants[2], turn, inside;

static void *process(void *arg) {
  long me = (long)arg, other = 1 - me;
  while (1) {
#ifdef SWAPPED
    turn = (int)other;
    wants[me] = 1;
#else
    wants[me] = 1;
    turn = (int)other;
#endif
    while (wants[other] && turn == other)
      ;
    assert(++inside == 1); //~[swapped plain_swapped] assertion
    inside--;
    wants[me] = 0;
  }
}

int main(void) {
  run_copies(2, process);
  return 0;
}
