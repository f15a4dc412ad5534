//@ verdict: safe
//@ args: --check assertion,uninitialised
//@ executions: 4
//@ promoted: 1
//@ source: a read and a write of the same byte in each thread, as in lost_update.c
//@ orders: 2
// Neighbouring bit-fields are one place: each of two writes may be lost, but not both.
#include "../threads.h"
#include <assert.h>
static struct {
  unsigned a : 3, b : 5;
} bits;

static void *set_a(void *arg) {
  bits.a = 5;
  return 0;
}

static void *set_b(void *arg) {
  bits.b = 9;
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){set_a, set_b});
  assert(bits.a == 5 || bits.a == 0);
  assert(bits.b == 9 || bits.b == 0);
  assert(bits.a || bits.b);
  return 0;
}
