//@ verdict: safe
//@ revisions: n1 n2 n3 n4 n5
//@[n1] cflags: -DN=1
//@[n1] executions: 2
//@[n2] cflags: -DN=2
//@[n2] executions: 6
//@[n3] cflags: -DN=3
//@[n3] executions: 24
//@[n4] cflags: -DN=4
//@[n4] executions: 120
//@[n5] cflags: -DN=5
//@[n5] executions: 720
//@ observers: 2
//@[n4 n5] naive: no
//@[n3] slow: naive
//@ source: (n+1)!, the orders of n writes and a read; observers: the read comes before all of them or not
//@ native: run
// Threads set a flag, one looks meanwhile.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
static atomic_int flag;

static void *set(void *arg) {
  flag = 1;
  return 0;
}

static void *look(void *arg) {
  assert(flag <= 1);
  return 0;
}

int main(void) {
  routine *routines[N + 1];
  for (int i = 0; i < N; i++)
    routines[i] = set;
  routines[N] = look;
  run_all(N + 1, routines);
  assert(flag == 1);
  return 0;
}
