//@ verdict: safe
//@[all] verdict: unsafe(assertion)
//@ revisions: never relaxed all
//@[relaxed] cflags: -DORDERING=memory_order_relaxed
//@[all] cflags: -DOUTCOME=(r0==1&&r1==1&&r2==1)
//@ executions: 7
//@ source: three pairs of dependent accesses: 2^3 orders, one is a cycle
//@ orders: 3
//@ naive: no
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
#ifndef ORDERING
#define ORDERING memory_order_seq_cst
#endif
#define W(cell, value) atomic_store_explicit(&cell, value, ORDERING)
#define R(cell) atomic_load_explicit(&cell, ORDERING)
#ifndef OUTCOME
#define OUTCOME (r0 == 1 && r1 == 1 && r2 == 0)
#endif
static atomic_int x, y, z;
static int r0, r1, r2;

static void *t0(void *arg) {
  W(x, 1);
  W(y, 1);
  return 0;
}

static void *t1(void *arg) {
  r0 = R(y);
  W(z, 1);
  return 0;
}

static void *t2(void *arg) {
  r1 = R(z);
  r2 = R(x);
  return 0;
}

int main(void) {
  run_all(3, (routine *[]){t0, t1, t2});
  assert(!OUTCOME); //~[all] assertion
  return 0;
}
