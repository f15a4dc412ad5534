//@ verdict: safe
//@ revisions: n1 n2 n3 n4 n5
//@[n1] cflags: -DN=1
//@[n1] executions: 2
//@[n1] observers: 2
//@[n2] cflags: -DN=2
//@[n2] executions: 6
//@[n2] observers: 5
//@[n3] cflags: -DN=3
//@[n3] executions: 24
//@[n3] observers: 13
//@[n4] cflags: -DN=4
//@[n4] executions: 120
//@[n4] observers: 33
//@[n5] cflags: -DN=5
//@[n5] executions: 720
//@[n5] observers: 81
//@[n4 n5] naive: no
//@[n3] slow: naive
//@ source: (n+1)!, a total order of n writes and the read among them; observers: n 2^(n-1) + 1, table 1 of optimal DPOR with observers, 2018: the read sees one of n writes, and each other one comes before that or behind the read; or it comes first
//@ orders: 3
//@ native: run
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
static atomic_int x;

static void *writer(void *arg) {
  atomic_store(&x, (int)(long)arg);
  return 0;
}

static void *reader(void *arg) {
  int seen = atomic_load(&x);
  assert(0 <= seen && seen <= N);
  return 0;
}

int main(void) {
  routine *routines[N + 1] = {reader};
  for (int i = 1; i <= N; i++)
    routines[i] = writer;
  run_all(N + 1, routines);
  return 0;
}
