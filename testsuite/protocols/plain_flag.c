//@ revisions: set never
//@ verdict: safe
//@[never] cflags: -DNEVER
//@ args: --check assertion
//@ source: the loop comes back to where it was; behind it the data are there
//@ orders: 2
//@ cutoffs: needed
// A loop that waits for a plain flag reads it again and again, whether or not anybody ever sets it.
#include "../threads.h"
#include <assert.h>
static int flag, data;

static void *setter(void *arg) {
  data = 42;
#ifndef NEVER
  flag = 1;
#endif
  return 0;
}

static void *waiter(void *arg) {
  while (!flag)
    ;
  assert(data == 42);
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){setter, waiter});
  return 0;
}
