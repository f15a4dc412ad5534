//@ verdict: safe
//@ revisions: n2 n3 n4
//@[n2] cflags: -DN=2
//@[n2] executions: 4
//@[n2] observers: 3
//@[n3] cflags: -DN=3
//@[n3] executions: 21
//@[n3] observers: 7
//@[n4] cflags: -DN=4
//@[n4] executions: 148
//@[n4] observers: 15
//@[n4] naive: no
//@ source: s threads find the flag down; their writes have s! orders, and each other read comes behind one of them: sum over s of C(n,s) s! s^(n-s); observers: who finds it down, 2^n - 1
//@ native: run
// Each thread stops if another one has found what all look for, and else finds it.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
static atomic_int stop;

static void *search(void *arg) {
  if (!stop)
    stop = 1;
  return 0;
}

int main(void) {
  routine *routines[N];
  for (int i = 0; i < N; i++)
    routines[i] = search;
  run_all(N, routines);
  assert(stop);
  return 0;
}
