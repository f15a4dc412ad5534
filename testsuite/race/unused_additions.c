//@ revisions: looks blind
//@[looks] verdict: safe
//@[looks] cflags: -DLOOKS
//@[blind] verdict: unsafe(data-race)
//@ args: --interference sync
//@ executions: 2
//@ source: the orders of the two additions
//@ orders: 2
// Additions commute and nobody uses the sum, but which of them comes first decides whether the writes are ordered.
#include "../threads.h"
#include <stdatomic.h>
static int data;
static atomic_int x;

static void *first(void *arg) {
  data = 1; //~[blind] data-race
  atomic_fetch_add(&x, 1);
  return 0;
}

static void *second(void *arg) {
#ifdef LOOKS
  if (atomic_fetch_add(&x, 1) == 1)
    data = 2;
#else
  atomic_fetch_add(&x, 1);
  data = 2; //~[blind] data-race
#endif
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){first, second});
  return 0;
}
