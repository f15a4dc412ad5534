//@ verdict: safe
//@ revisions: never
//@ executions: 1
//@ source: writes of one thread are ordered; nobody else writes or reads at the same time
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
#define OUTCOME (R(x) != 2)
#endif
static atomic_int x;

static void *t0(void *arg) {
  W(x, 1);
  W(x, 2);
  return 0;
}

static void *t1(void *arg) {
  (void)arg;
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){t0, t1});
  assert(!OUTCOME);
  return 0;
}
