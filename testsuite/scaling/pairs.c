//@ verdict: safe
//@ revisions: n1 n2 n3 n4
//@[n1] cflags: -DN=1
//@[n1] executions: 2
//@[n2] cflags: -DN=2
//@[n2] executions: 4
//@[n3] cflags: -DN=3
//@[n3] executions: 8
//@[n4] cflags: -DN=4
//@[n4] executions: 16
//@[n2 n3 n4] naive: no
//@ source: 2^n, the orders of n pairs of writes that have nothing to do with each other
//@ orders: 3
//@ native: run
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
static atomic_int cell[N];

static void *writer(void *arg) {
  long i = (long)arg;
  atomic_store(&cell[i / 2], 1 + (int)(i % 2));
  return 0;
}

int main(void) {
  run_copies(2 * N, writer);
  for (int i = 0; i < N; i++)
    assert(atomic_load(&cell[i]) != 0);
  return 0;
}
