//@ verdict: safe
//@ executions: 1
//@ source: nothing is shared
//@ orders: 2
//@ native: run
#include "../threads.h"
static struct { char a, b; short c; } s;

static void *write_a(void *arg) {
  s.a = 1;
  return 0;
}

static void *write_b(void *arg) {
  s.b = 2;
  return 0;
}

static void *write_c(void *arg) {
  s.c = 3;
  return 0;
}

int main(void) {
  run_all(3, (routine *[]){write_a, write_b, write_c});
  return s.a + s.b + s.c == 6 ? 0 : 1;
}
