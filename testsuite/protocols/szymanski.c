//@ revisions: right unordered
//@ verdict: safe
//@[unordered] verdict: unsafe(assertion)
//@[unordered] cflags: -DUNORDERED
//@ source: Szymanski, A simple solution to Lamport's problem, 1988, for two; table 2 of unfolding-based POR, 2015
//@ orders: 2
//@ cutoffs: needed
// A waiting room with two doors. Behind the second one the lower number goes first; forget that, and both go.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
enum { OUTSIDE, INTENDS, WAITS_INSIDE, AT_DOOR, PAST_DOOR };
static atomic_int place[2], inside;

static int is_between_doors(int where) {
  return where == WAITS_INSIDE || where == AT_DOOR;
}

static void *process(void *arg) {
  long me = (long)arg, other = 1 - me;
  while (1) {
    place[me] = INTENDS;
    while (place[other] >= AT_DOOR)
      ;
    place[me] = AT_DOOR;
    if (place[other] == INTENDS) {
      place[me] = WAITS_INSIDE;
      while (place[other] != PAST_DOOR)
        ;
    }
    place[me] = PAST_DOOR;
#ifndef UNORDERED
    while (me == 1 && place[0] >= WAITS_INSIDE)
      ;
#endif
    assert(++inside == 1); //~[unordered] assertion
    inside--;
    while (me == 0 && is_between_doors(place[1]))
      ;
    place[me] = OUTSIDE;
  }
}

int main(void) {
  run_copies(2, process);
  return 0;
}
