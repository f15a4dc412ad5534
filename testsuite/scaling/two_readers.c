//@ verdict: safe
//@ revisions: n1 n2 n3 n5
//@[n1] cflags: -DN=1
//@[n1] executions: 4
//@[n1] observers: 4
//@[n2] cflags: -DN=2
//@[n2] executions: 9
//@[n2] observers: 9
//@[n3] cflags: -DN=3
//@[n3] executions: 16
//@[n3] observers: 16
//@[n5] cflags: -DN=5
//@[n5] executions: 36
//@[n5] observers: 36
//@ orders: 3
//@[n5] naive: no
//@ source: (n+1)^2, each of two reads comes before or behind any of the n writes of one thread
//@ native: run
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
static atomic_int x;

static void *writer(void *arg) {
  for (int i = 1; i <= N; i++)
    atomic_store(&x, i);
  return 0;
}

static void *reader(void *arg) {
  int seen = atomic_load(&x);
  assert(0 <= seen && seen <= N);
  return 0;
}

int main(void) {
  run_all(3, (routine *[]){writer, reader, reader});
  return 0;
}
