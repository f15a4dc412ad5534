//@ revisions: right careless
//@ verdict: safe
//@[careless] verdict: unsafe(assertion)
//@[careless] cflags: -DCARELESS
//@ source: Lamport, A new solution of Dijkstra's concurrent programming problem, 1974, with at most LAST numbers
//@ orders: 2
//@ cutoffs: needed
// Who would draw a number that does not exist tries again later. Who does not say that it is drawing a number is
// overlooked by the other, and then turns up with the better one.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
#define LAST 3
static atomic_int drawing[2], number[2], inside;

static int draw(long me) {
  for (;;) {
    drawing[me] = 1;
    int drawn = number[1 - me] + 1;
    if (drawn <= LAST) {
      number[me] = drawn;
      drawing[me] = 0;
      return drawn;
    }
    drawing[me] = 0;
  }
}

static int is_before(long me, int mine) {
  int theirs = number[1 - me];
  return theirs != 0 && (theirs < mine || (theirs == mine && me == 1));
}

static void *process(void *arg) {
  long me = (long)arg;
  while (1) {
    int mine = draw(me);
#ifndef CARELESS
    while (drawing[1 - me])
      ;
#endif
    while (is_before(me, mine))
      ;
    assert(++inside == 1); //~[careless] assertion
    inside--;
    number[me] = 0;
  }
}

int main(void) {
  run_copies(2, process);
  return 0;
}
