//@ verdict: safe
//@ revisions: n2 n3 n4
//@[n2] cflags: -DN=2
//@[n2] executions: 2
//@[n3] cflags: -DN=3
//@[n3] executions: 6
//@[n4] cflags: -DN=4
//@[n4] executions: 24
//@[n4] naive: no
//@ source: n!, the orders of n read-modify-writes, each of which sees the one before
//@ orders: 3
//@ native: run
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
static atomic_int next;
static int ticket[N];

static void *draw(void *arg) {
  ticket[(long)arg] = atomic_fetch_add(&next, 1);
  return 0;
}

int main(void) {
  run_copies(N, draw);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < i; j++)
      assert(ticket[i] != ticket[j]);
  return 0;
}
