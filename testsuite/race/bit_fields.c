//@ revisions: neighbours separated
//@[neighbours] verdict: unsafe(data-race)
//@[separated] verdict: safe
//@[separated] cflags: -DSEPARATE
//@ orders: 2
// Neighbouring bit-fields are one memory location, until a field of width 0 parts them.
#include "../threads.h"
static struct {
  unsigned a : 4;
#ifdef SEPARATE
  unsigned : 0;
#endif
  unsigned b : 4;
} s;

static void *write_a(void *arg) {
  s.a = 1; //~[neighbours] data-race
  return 0;
}

static void *write_b(void *arg) {
  s.b = 2; //~[neighbours] data-race
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){write_a, write_b});
  return s.a == 1 && s.b == 2 ? 0 : 1;
}
