//@ verdict: safe
//@[back forth] verdict: unsafe(assertion)
//@ revisions: never relaxed back forth
//@[relaxed] cflags: -DORDERING=memory_order_relaxed
//@[back] cflags: -DOUTCOME=(r0==2&&r1==1)
//@[forth] cflags: -DOUTCOME=(r0==1&&r1==2)
//@ executions: 12
//@ source: two writes in 2 orders, each with 2 reads of one thread at any of 3 places: 2*C(4,2)
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
#define OUTCOME (r0 != 0 && r1 == 0)
#endif
static atomic_int x;
static int r0, r1;

static void *t0(void *arg) {
  W(x, 1);
  return 0;
}

static void *t1(void *arg) {
  W(x, 2);
  return 0;
}

static void *t2(void *arg) {
  r0 = R(x);
  r1 = R(x);
  return 0;
}

int main(void) {
  run_all(3, (routine *[]){t0, t1, t2});
  assert(!OUTCOME); //~[back forth] assertion
  return 0;
}
