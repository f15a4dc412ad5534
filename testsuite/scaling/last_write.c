//@ verdict: safe
//@ revisions: n1 n2 n3 n4 n5 n6
//@[n1] cflags: -DN=1
//@[n1] executions: 1
//@[n1] observers: 1
//@[n2] cflags: -DN=2
//@[n2] executions: 2
//@[n2] observers: 2
//@[n3] cflags: -DN=3
//@[n3] executions: 6
//@[n3] observers: 3
//@[n4] cflags: -DN=4
//@[n4] executions: 24
//@[n4] observers: 4
//@[n5] cflags: -DN=5
//@[n5] executions: 120
//@[n5] observers: 5
//@[n6] cflags: -DN=6
//@[n6] executions: 720
//@[n6] observers: 6
//@[n4 n5 n6] naive: no
//@ source: n!, the orders of n writes of one cell; the read comes after the joins; observers: only which write comes last is read; table 1 of optimal DPOR with observers, 2018
//@ orders: 3
//@ native: run
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
static atomic_int x;

static void *writer(void *arg) {
  atomic_store(&x, 1 + (int)(long)arg);
  return 0;
}

int main(void) {
  run_copies(N, writer);
  int last = atomic_load(&x);
  assert(1 <= last && last <= N);
  return 0;
}
