//@ revisions: kept cut
//@[kept] verdict: unsafe(assertion)
//@[kept] cflags: -DASSUMED=1
//@[kept] executions: 2
//@[kept] pruned: 0
//@[cut] verdict: safe
//@[cut] cflags: -DASSUMED=(seen==2)
//@[cut] executions: 1
//@[cut] pruned: 1
//@ source: two orders of two writes; the assumption cuts one of them
//@ orders: 2
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
extern void __VERIFIER_assume(int);
static atomic_int x;

static void *writer(void *arg) {
  x = 1 + (int)(long)arg;
  return 0;
}

int main(void) {
  run_copies(2, writer);
  int seen = x;
  __VERIFIER_assume(ASSUMED);
  assert(seen == 2); //~[kept] assertion
  return 0;
}
