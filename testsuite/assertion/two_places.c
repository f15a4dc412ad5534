//@ verdict: unsafe(assertion)
//@ executions: 2
//@ source: the orders of two writes
//@ orders: 2
// Two different violations in two executions: both are found when exploration goes on.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
static atomic_int x;

static void *writer(void *arg) {
  x = 1 + (int)(long)arg;
  return 0;
}

int main(void) {
  run_copies(2, writer);
  int last = x;
  if (last == 1)
    assert(last == 2); //~ assertion
  else
    assert(last == 1); //~ assertion
  return 0;
}
