//@ verdict: safe
//@ revisions: n2 n3 n4
//@[n2] cflags: -DN=2
//@[n2] executions: 4
//@[n2] observers: 3
//@[n3] cflags: -DN=3
//@[n3] executions: 36
//@[n3] observers: 22
//@[n4] cflags: -DN=4
//@[n4] executions: 576
//@[n4] observers: 281
//@[n3 n4] naive: no
//@ source: (n!)^2, the orders of n writes and of the reads among them; observers: the writes that nobody reads have no order, counted separately from all interleavings
//@ native: run
// x is incremented in two steps.
#include "../threads.h"
#include <stdatomic.h>
static atomic_int x;

static void *add(void *arg) {
  int old = atomic_load(&x);
  atomic_store(&x, old + 1);
  return 0;
}

int main(void) {
  run_copies(N, add);
  return 0;
}
