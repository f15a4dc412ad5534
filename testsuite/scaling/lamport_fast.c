//@ verdict: safe
//@ revisions: n2 n3 waits2 waits3
//@[n2 waits2] cflags: -DN=2
//@[n3 waits3] cflags: -DN=3
//@[n2 n3] args: --awaits on
//@[n2 waits2] executions: 16
//@[n2] pruned: 16
//@[n2 waits2] observers: 14
//@[n3 waits3] executions: 9216
//@[n3] pruned: 11525
//@[n3 waits3] observers: 5466
//@[waits2 waits3] pruned: 0
//@ naive: no
//@ source: lamport(2) and lamport(3) in table 1 of optimal DPOR with observers, 2018; what waits comes to nothing: it waits for what the others set in the end
// Lamport's second fast mutual exclusion algorithm (1987). Waiting is an assumption: who would have to wait is given up.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
extern void __VERIFIER_assume(int);
static atomic_int x, y, b[N + 1];
static int holders;

static void *worker(void *arg) {
  int i = 1 + (int)(long)arg;
  for (;;) {
    b[i] = 1;
    x = i;
    if (y != 0) {
      b[i] = 0;
      __VERIFIER_assume(y == 0);
      continue;
    }
    y = i;
    if (x != i) {
      b[i] = 0;
      for (int j = 1; j <= N; j++)
        __VERIFIER_assume(b[j] == 0);
      if (y != i) {
        __VERIFIER_assume(y == 0);
        continue;
      }
    }
    break;
  }
  y = 0;
  b[i] = 0;
  return 0;
}

int main(void) {
  run_copies(N, worker);
  return 0;
}
