//@ revisions: called trap conditional
//@[called trap] verdict: unsafe(abort)
//@[called] cflags: -DACTION=abort()
//@[trap] cflags: -DACTION=__builtin_trap()
//@[conditional] verdict: safe
//@[conditional] cflags: -DACTION=(void)0
//@ executions: 2
//@ source: the orders of two writes
//@ orders: 2
#include "../threads.h"
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int x;

static void *writer(void *arg) {
  x = 1 + (int)(long)arg;
  return 0;
}

int main(void) {
  run_copies(2, writer);
  if (x == 1)
    ACTION; //~[called trap] abort
  return 0;
}
