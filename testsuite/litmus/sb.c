//@ verdict: safe
//@[both first second] verdict: unsafe(assertion)
//@ revisions: never relaxed both first second
//@[relaxed] cflags: -DORDERING=memory_order_relaxed
//@[both] cflags: -DOUTCOME=(r0==1&&r1==1)
//@[first] cflags: -DOUTCOME=(r0==1&&r1==0)
//@[second] cflags: -DOUTCOME=(r0==0&&r1==1)
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
#define OUTCOME (r0 == 0 && r1 == 0)
#endif
static atomic_int x, y;
static int r0, r1;

static void *t0(void *arg) {
  W(x, 1);
  r0 = R(y);
  return 0;
}

static void *t1(void *arg) {
  W(y, 1);
  r1 = R(x);
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){t0, t1});
  assert(!OUTCOME); //~[both first second] assertion
  return 0;
}
