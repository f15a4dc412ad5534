//@ revisions: right looks_first torn relaxed
//@ verdict: safe
//@[looks_first] cflags: -DLOOKS_FIRST
//@[torn] verdict: unsafe(assertion)
//@[torn] cflags: -DTORN -DSHARED=atomic_int
//@[relaxed] verdict: unsafe(data-race)
//@[relaxed] cflags: -DON_UNLOCK=memory_order_relaxed
//@ source: textbooks
//@ orders: 2
//@ cutoffs: needed
// Test and set must be one; and what happens in the section must be published by the unlock.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
#ifndef SHARED
#define SHARED int
#endif
#ifndef ON_UNLOCK
#define ON_UNLOCK memory_order_release
#endif
static atomic_int taken;
static SHARED inside;

static void *process(void *arg) {
  while (1) {
#if defined TORN
    while (taken)
      ;
    taken = 1;
#elif defined LOOKS_FIRST
    do {
      while (taken)
        ;
    } while (atomic_exchange(&taken, 1));
#else
    while (atomic_exchange(&taken, 1))
      ;
#endif
    inside++;            //~[relaxed] data-race
    assert(inside == 1); //~[torn] assertion
    inside--;
    atomic_store_explicit(&taken, 0, ON_UNLOCK);
  }
}

int main(void) {
  run_copies(2, process);
  return 0;
}
