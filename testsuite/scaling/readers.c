//@ verdict: safe
//@ revisions: n1 n2 n3 n4 n5 n6
//@[n1] cflags: -DN=1
//@[n1] executions: 2
//@[n2] cflags: -DN=2
//@[n2] executions: 4
//@[n3] cflags: -DN=3
//@[n3] executions: 8
//@[n4] cflags: -DN=4
//@[n4] executions: 16
//@[n5] cflags: -DN=5
//@[n5] executions: 32
//@[n6] cflags: -DN=6
//@[n6] executions: 64
//@[n4 n5 n6] naive: no
//@[n3] slow: naive
//@ source: 2^n, each of n readers comes before or after the only write; reads commute
//@ orders: 3
//@ native: run
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
static atomic_int x;
static int seen[N];

static void *writer(void *arg) {
  atomic_store(&x, 1);
  return 0;
}

static void *reader(void *arg) {
  seen[(long)arg - 1] = atomic_load(&x);
  return 0;
}

int main(void) {
  routine *routines[N + 1] = {writer};
  for (int i = 1; i <= N; i++)
    routines[i] = reader;
  run_all(N + 1, routines);
  for (int i = 0; i < N; i++)
    assert(seen[i] == 0 || seen[i] == 1);
  return 0;
}
