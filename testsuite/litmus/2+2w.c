//@ verdict: safe
//@[second] verdict: unsafe(assertion)
//@ revisions: never relaxed second
//@[relaxed] cflags: -DORDERING=memory_order_relaxed
//@[second] cflags: -DOUTCOME=(R(x)==2&&R(y)==1)
//@ executions: 3
//@ source: two pairs of dependent writes: 2^2 orders, one is a cycle
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
#define OUTCOME (R(x) == 1 && R(y) == 1)
#endif
static atomic_int x, y;

static void *t0(void *arg) {
  W(x, 1);
  W(y, 2);
  return 0;
}

static void *t1(void *arg) {
  W(y, 1);
  W(x, 2);
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){t0, t1});
  assert(!OUTCOME); //~[second] assertion
  return 0;
}
