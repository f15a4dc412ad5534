//@ verdict: safe
//@ executions: 6
//@ source: who is first, times what the other sees: free at once, free at the second try, never: 2*3
//@ orders: 2
//@ native: run
// A spin lock of one's own that gives up after two tries.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
static atomic_flag lock = ATOMIC_FLAG_INIT;
static int inside;

static void *worker(void *arg) {
  for (int tries = 0; tries < 2; tries++) {
    if (atomic_flag_test_and_set(&lock))
      continue;
    inside++;
    assert(inside == 1);
    inside--;
    atomic_flag_clear(&lock);
    break;
  }
  return 0;
}

int main(void) {
  run_copies(2, worker);
  return inside;
}
