//@ verdict: safe
//@ executions: 2
//@ source: the orders of two exchanges
//@ orders: 2
//@ native: run
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
struct point { int x, y; };
static _Atomic struct point last;
static _Atomic double sum = 1.5;

static void *writer(void *arg) {
  int i = 1 + (int)(long)arg;
  struct point p = {i, 10 * i};
  atomic_exchange(&last, p);
  return 0;
}

int main(void) {
  run_copies(2, writer);
  struct point p = atomic_load(&last);
  assert(p.y == 10 * p.x && (p.x == 1 || p.x == 2));
  sum += 2.25;
  assert(sum == 3.75);
  return 0;
}
