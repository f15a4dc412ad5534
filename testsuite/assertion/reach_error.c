//@ revisions: reached guarded
//@[reached] verdict: unsafe(assertion)
//@[guarded] verdict: safe
//@[guarded] cflags: -DLIMIT=2
//@ executions: 2
//@ source: the orders of two read-modify-writes
//@ orders: 2
#include "../threads.h"
#include <stdatomic.h>
#ifndef LIMIT
#define LIMIT 1
#endif
extern void reach_error(void);
static atomic_int c;

static void *increment(void *arg) {
  if (++c > LIMIT)
    reach_error(); //~[reached] assertion
  return 0;
}

int main(void) {
  run_copies(2, increment);
  return 0;
}
