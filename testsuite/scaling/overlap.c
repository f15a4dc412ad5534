//@ verdict: safe
//@ executions: 4
//@ source: a 32-bit store is ordered with each of two 8-bit loads inside it, and they are not with each other: 2*2
//@ orders: 3
//@ native: run
#include "../threads.h"
#include <assert.h>
static unsigned cell;

static void *whole(void *arg) {
  __atomic_store_n(&cell, 0x01010101u, __ATOMIC_SEQ_CST);
  return 0;
}

static void *byte(void *arg) {
  unsigned char seen = __atomic_load_n((unsigned char *)&cell + (long)arg, __ATOMIC_SEQ_CST);
  assert(seen <= 1);
  return 0;
}

int main(void) {
  run_all(3, (routine *[]){whole, byte, byte});
  return 0;
}
