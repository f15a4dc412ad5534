//@ verdict: safe
//@ executions: 1
//@ source: reads commute
//@ orders: 2
//@ native: run
#include "../threads.h"
#include <stdatomic.h>
static atomic_int x = 3;
static int y = 4;

static void *atomic(void *arg) {
  return atomic_load(&x) + y == 7 ? 0 : arg;
}

static void *plain(void *arg) {
  return *(int *)&x + y == 7 ? 0 : arg;
}

int main(void) {
  run_all(2, (routine *[]){atomic, plain});
  return 0;
}
