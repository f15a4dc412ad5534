//@ verdict: safe
//@[first] verdict: unsafe(assertion)
//@ revisions: never relaxed first
//@[relaxed] cflags: -DORDERING=memory_order_relaxed
//@[first] cflags: -DOUTCOME=(R(y)==1&&r0==0)
//@ executions: 3
//@ source: two pairs of dependent accesses: 2^2 orders, one is a cycle
//@ orders: 2
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
#ifndef ORDERING
#define ORDERING memory_order_seq_cst
#endif
#define W(cell, value) atomic_store_explicit(&cell, value, ORDERING)
#define R(cell) atomic_load_explicit(&cell, ORDERING)
#ifndef OUTCOME
#define OUTCOME (R(y) == 2 && r0 == 0)
#endif
static atomic_int x, y;
static int r0;

static void *t0(void *arg) {
  W(x, 1);
  W(y, 1);
  return 0;
}

static void *t1(void *arg) {
  W(y, 2);
  r0 = R(x);
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){t0, t1});
  assert(!OUTCOME); //~[first] assertion
  return 0;
}
