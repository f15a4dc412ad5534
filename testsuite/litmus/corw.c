//@ verdict: safe
//@[old last] verdict: unsafe(assertion)
//@ revisions: never relaxed old last
//@[relaxed] cflags: -DORDERING=memory_order_relaxed
//@[old] cflags: -DOUTCOME=(r0==2&&R(x)==1)
//@[last] cflags: -DOUTCOME=(r0==0&&R(x)==2)
//@ executions: 3
//@ source: a read and a write of one thread, around or beside a write of another: C(3,1)
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
#define OUTCOME (r0 == 1)
#endif
static atomic_int x;
static int r0;

static void *t0(void *arg) {
  r0 = R(x);
  W(x, 1);
  return 0;
}

static void *t1(void *arg) {
  W(x, 2);
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){t0, t1});
  assert(!OUTCOME); //~[old last] assertion
  return 0;
}
