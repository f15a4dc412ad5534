//@ verdict: safe
//@ executions: 1
//@ source: every thread writes its own
//@ orders: 2
//@ native: run
#include "../threads.h"
#include <assert.h>
static _Thread_local int counter = 5;
static __thread int zero;

static void *worker(void *arg) {
  assert(counter == 5 && zero == 0);
  counter += (int)(long)arg;
  zero--;
  assert(counter == 5 + (int)(long)arg && zero == -1);
  return 0;
}

int main(void) {
  counter = 77;
  run_copies(3, worker);
  assert(counter == 77 && zero == 0);
  return 0;
}
