//@ revisions: right crowded relaxed
//@ verdict: safe
//@[crowded] verdict: unsafe(assertion)
//@[crowded] cflags: -DTHREADS=3 -DSHARED=atomic_int
//@[right crowded] args: --race-model sc
//@[relaxed] verdict: unsafe(data-race)
//@[relaxed] cflags: -DON_WAIT=memory_order_relaxed
//@[crowded] slow: states
//@ source: Mellor-Crummey and Scott, Algorithms for scalable synchronization, 1991, tickets modulo 2
//@ orders: 2
//@ cutoffs: needed
// Tickets 0 and 1 in turn are enough for two, but not for three. Who waits must also learn what the
// one before did in the section.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
#ifndef THREADS
#define THREADS 2
#endif
#ifndef SHARED
#define SHARED int
#endif
#ifndef ON_WAIT
#define ON_WAIT memory_order_acquire
#endif
static atomic_int next, serving;
static SHARED inside;

static void *process(void *arg) {
  while (1) {
    int mine = atomic_fetch_xor_explicit(&next, 1, memory_order_relaxed);
    while (atomic_load_explicit(&serving, ON_WAIT) != mine)
      ;
    inside++;            //~[relaxed] data-race
    assert(inside == 1); //~[crowded] assertion
    inside--;            //~[relaxed] data-race
    atomic_store_explicit(&serving, !mine, memory_order_release);
  }
}

int main(void) {
  run_copies(THREADS, process);
  return 0;
}
