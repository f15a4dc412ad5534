//@ verdict: safe
//@ revisions: n2 n3 n4 n5
//@[n2] cflags: -DN=2
//@[n2] executions: 5
//@[n3] cflags: -DN=3
//@[n3] executions: 16
//@[n4] cflags: -DN=4
//@[n4] executions: 65
//@[n5] cflags: -DN=5
//@[n5] executions: 326
//@[n4 n5] naive: no
//@[n3] slow: naive
//@ source: those that see the flag, in every order of their writes: sum over j of n!/(n-j)!
//@[n2 n3 n4] orders: 3
//@ native: run
// Whether two writers conflict depends on what they read: exploration that reverses their writes without regard to the
// flag starts executions that it has to give up.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
static atomic_int flag, last;

static void *writer(void *arg) {
  if (flag)
    last = (int)(long)arg;
  return 0;
}

static void *setter(void *arg) {
  flag = 1;
  return 0;
}

int main(void) {
  routine *routines[N + 1];
  for (int i = 0; i < N; i++)
    routines[i] = writer;
  routines[N] = setter;
  run_all(N + 1, routines);
  assert(last < N);
  return 0;
}
