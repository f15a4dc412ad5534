//@ verdict: safe
//@[agree] verdict: unsafe(assertion)
//@ revisions: never relaxed agree
//@[relaxed] cflags: -DORDERING=memory_order_relaxed
//@[agree] cflags: -DOUTCOME=(r0==1&&r1==0&&r2==0&&r3==1)
//@ executions: 15
//@ slow: naive
//@ source: four pairs of dependent accesses: 2^4 orders, one is a cycle
//@ orders: 3
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
#ifndef ORDERING
#define ORDERING memory_order_seq_cst
#endif
#define W(cell, value) atomic_store_explicit(&cell, value, ORDERING)
#define R(cell) atomic_load_explicit(&cell, ORDERING)
#ifndef OUTCOME
#define OUTCOME (r0 == 1 && r1 == 0 && r2 == 1 && r3 == 0)
#endif
static atomic_int x, y;
static int r0, r1, r2, r3;

static void *t0(void *arg) {
  W(x, 1);
  return 0;
}

static void *t1(void *arg) {
  W(y, 1);
  return 0;
}

static void *t2(void *arg) {
  r0 = R(x);
  r1 = R(y);
  return 0;
}

static void *t3(void *arg) {
  r2 = R(y);
  r3 = R(x);
  return 0;
}

int main(void) {
  run_all(4, (routine *[]){t0, t1, t2, t3});
  assert(!OUTCOME); //~[agree] assertion
  return 0;
}
