//@ revisions: flags turn
//@[flags] verdict: unsafe(assertion)
//@[flags] cflags: -DLATE
//@[turn] verdict: safe
//@ orders: 2
// Peterson's lock, waiting bounded by giving up. LATE announces too late.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
static atomic_int wants[2], turn, inside;

static void *enter(void *arg) {
  long me = (long)arg, other = 1 - me;
#ifndef LATE
  wants[me] = 1;
  turn = (int)other;
#endif
  int may = !wants[other] || turn == me;
#ifdef LATE
  wants[me] = 1;
#endif
  if (may) {
    assert(++inside == 1); //~[flags] assertion
    inside--;
  }
  wants[me] = 0;
  return 0;
}

int main(void) {
  run_copies(2, enter);
  return 0;
}
