//@ verdict: safe
//@ args: --check assertion
//@ executions: 3
//@ promoted: 2
//@ source: the write of all bytes comes before, between or behind the write and the read of parts
//@ orders: 2
// Accesses of different sizes depend on each other where they overlap.
#include "../threads.h"
#include <assert.h>
static union {
  long whole;
  int half[2];
  char byte[8];
} x;

static void *all(void *arg) {
  x.whole = 0x0101010101010101;
  return 0;
}

static void *parts(void *arg) {
  x.byte[5] = 7;
  int seen = x.half[1];
  assert(seen == 0x700 || seen == 0x01010101 || seen == 0x01010701);
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){all, parts});
  return 0;
}
