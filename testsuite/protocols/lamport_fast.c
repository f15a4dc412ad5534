//@ revisions: right hasty
//@ verdict: safe
//@[hasty] verdict: unsafe(assertion)
//@[hasty] cflags: -DHASTY
//@ source: Lamport, A fast mutual exclusion algorithm, 1987; table 2 of unfolding-based POR, 2015
//@ orders: 2
//@ cutoffs: needed
// Who finds that it was overtaken waits until all others have decided. Without that wait both get in.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
static atomic_int busy[2], x, y, inside;

static void enter(long me) {
  int name = 1 + (int)me;
  for (;;) {
    busy[me] = 1;
    x = name;
    if (y != 0) {
      busy[me] = 0;
      while (y != 0)
        ;
      continue;
    }
    y = name;
    if (x == name)
      return;
    busy[me] = 0;
#ifndef HASTY
    while (busy[1 - me])
      ;
#endif
    if (y == name)
      return;
    while (y != 0)
      ;
  }
}

static void *process(void *arg) {
  long me = (long)arg;
  while (1) {
    enter(me);
    assert(++inside == 1); //~[hasty] assertion
    inside--;
    y = 0;
    busy[me] = 0;
  }
}

int main(void) {
  run_copies(2, process);
  return 0;
}
