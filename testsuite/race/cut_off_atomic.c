//@ revisions: first second alone
//@ verdict: unsafe(data-race)
//@[second] cflags: -DSWAPPED
//@[alone] args: --check data-race
//@ orders: 2
//@ source: own; both choices lead to the same state, and only one of them accesses what the other thread writes plainly
// Which of the two loads is cut off as leading to a known state must not matter: one of them races.
#include "../threads.h"
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);

static atomic_int cell, other, step;

#ifdef SWAPPED
#define WHICH (__VERIFIER_nondet_bool() ? &other : &cell)
#else
#define WHICH (__VERIFIER_nondet_bool() ? &cell : &other)
#endif

static void *loads(void *arg) {
  atomic_load(WHICH); //~ data-race
  return 0;
}

static void *writes(void *arg) {
  atomic_fetch_add(&step, 1);
  *(int *)&cell = 1; //~ data-race
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){loads, writes});
}
