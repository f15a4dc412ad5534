//@ revisions: one split
//@ verdict: unsafe(data-race)
//@[split] cflags: -DSPLIT
//@ orders: 2
//@ source: own; both choices lead to the same state, the longer one by more actions, and only there the access races
// An atomic block is one action, but what it does behind an atomic store is not known to whoever reads what was stored.
#include "../threads.h"
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

static atomic_int flag;
static int data;

static void *looks(void *arg) {
  if (atomic_load(&flag) == 1) {
    volatile int seen = data; //~ data-race
    (void)seen;
  }
  return 0;
}

static void *acts(void *arg) {
  if (__VERIFIER_nondet_bool()) {
    atomic_load(&flag);
    __VERIFIER_atomic_begin();
    atomic_store(&flag, 1);
    data = 5; //~ data-race
  } else {
    __VERIFIER_atomic_begin();
    data = 5;
    atomic_store(&flag, 1);
  }
#ifdef SPLIT
  if (__VERIFIER_nondet_bool()) atomic_load(&flag);
#endif
  __VERIFIER_atomic_end();
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){looks, acts});
  return 0;
}
