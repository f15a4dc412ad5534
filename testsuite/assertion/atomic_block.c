//@ revisions: block apart function
//@[block] verdict: safe
//@[block] cflags: -DBEGIN=__VERIFIER_atomic_begin -DEND=__VERIFIER_atomic_end
//@[block] executions: 2
//@[block] source: the orders of two blocks
//@[apart] verdict: unsafe(assertion)
//@[apart] args: --race-model sc
//@[apart] cflags: -DATOMIC=_Atomic
//@[apart] executions: 4
//@[apart] source: load and store in each of two threads, as in load_then_store
//@[function] verdict: safe
//@[function] cflags: -Dincrement=__VERIFIER_atomic_increment
//@[function] executions: 2
//@[function] source: the orders of two blocks
//@ orders: 2
#include "../threads.h"
#include <assert.h>
#ifndef BEGIN
#define BEGIN()
#define END()
#else
extern void BEGIN(void), END(void);
#endif
#ifndef ATOMIC
#define ATOMIC
#endif
static ATOMIC int c;

static void increment(void) {
  int old = c;
  c = old + 1;
}

static void *worker(void *arg) {
  BEGIN();
  increment();
  END();
  return 0;
}

int main(void) {
  run_copies(2, worker);
  assert(c == 2); //~[apart] assertion
  return 0;
}
