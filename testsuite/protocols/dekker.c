//@ revisions: right once plain plain_once
//@ verdict: safe
//@[once plain_once] verdict: unsafe(assertion)
//@[once plain_once] cflags: -DCHECK=if
//@[plain plain_once] cflags: -DSHARED=int
//@[plain plain_once] args: --check assertion
//@ source: Dijkstra, Cooperating sequential processes, 1965; table 2 of unfolding-based POR, 2015
//@ orders: 2
//@ cutoffs: needed
// Who has waited for its turn must look again; looking once lets it in beside the other.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
#ifndef SHARED
#define SHARED atomic_int
#endif
#ifndef CHECK
#define CHECK while
#endif
static SHARED wants[2], turn, inside;

static void *process(void *arg) {
  long me = (long)arg, other = 1 - me;
  while (1) {
    wants[me] = 1;
    CHECK (wants[other]) {
      if (turn == other) {
        wants[me] = 0;
        while (turn == other)
          ;
        wants[me] = 1;
      }
    }
    assert(++inside == 1); //~[once plain_once] assertion
    inside--;
    turn = (int)other;
    wants[me] = 0;
  }
}

int main(void) {
  run_copies(2, process);
  return 0;
}
