//@ verdict: safe
//@[other lost] verdict: unsafe(assertion)
//@ revisions: never relaxed other lost
//@[relaxed] cflags: -DORDERING=memory_order_relaxed
//@[other] cflags: -DOUTCOME=(r0==2)
//@[lost] cflags: -DOUTCOME=(r0==1&&R(x)==1)
//@ executions: 3
//@ source: a write and a read of one thread, and a write of another at one of 3 places
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
#define OUTCOME (r0 == 0)
#endif
static atomic_int x;
static int r0;

static void *t0(void *arg) {
  W(x, 1);
  r0 = R(x);
  return 0;
}

static void *t1(void *arg) {
  W(x, 2);
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){t0, t1});
  assert(!OUTCOME); //~[other lost] assertion
  return 0;
}
