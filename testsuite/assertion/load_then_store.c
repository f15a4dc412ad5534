//@ revisions: apart rmw
//@[apart] verdict: unsafe(assertion)
//@[apart] executions: 4
//@[apart] source: r1 w1 with r2 w2: one after the other (2), or both read first and then two orders of the writes
//@[rmw] verdict: safe
//@[rmw] cflags: -DRMW
//@[rmw] executions: 2
//@[rmw] source: the orders of two read-modify-writes
//@ orders: 2
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
static atomic_int c;

static void *increment(void *arg) {
#ifdef RMW
  c++;
#else
  atomic_store(&c, atomic_load(&c) + 1);
#endif
  return 0;
}

int main(void) {
  run_copies(2, increment);
  assert(c == 2); //~[apart] assertion
  return 0;
}
