//@ verdict: safe
//@ executions: 4
//@ source: one after the other: 2; or both load first, one exchange succeeds, the other fails once: 2
//@ orders: 2
//@ native: run
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
static atomic_int x;

static void *increment(void *arg) {
  int old = atomic_load(&x);
  while (!atomic_compare_exchange_strong(&x, &old, old + 1))
    ;
  return 0;
}

int main(void) {
  run_copies(2, increment);
  assert(x == 2);
  return 0;
}
