//@ verdict: safe
//@ revisions: m1n2 m1n3 m1n4 m1n5 m2n2 m2n3 m2n4 m2n5 m3n2 m3n3 m3n4
//@[m1n2] cflags: -DM=1 -DN=2
//@[m1n2] executions: 4
//@[m1n3] cflags: -DM=1 -DN=3
//@[m1n3] executions: 6
//@[m1n4] cflags: -DM=1 -DN=4
//@[m1n4] executions: 8
//@[m1n5] cflags: -DM=1 -DN=5
//@[m1n5] executions: 10
//@[m2n2] cflags: -DM=2 -DN=2
//@[m2n2] executions: 20
//@[m2n3] cflags: -DM=2 -DN=3
//@[m2n3] executions: 42
//@[m2n4] cflags: -DM=2 -DN=4
//@[m2n4] executions: 72
//@[m2n5] cflags: -DM=2 -DN=5
//@[m2n5] executions: 110
//@[m3n2] cflags: -DM=3 -DN=2
//@[m3n2] executions: 120
//@[m3n3] cflags: -DM=3 -DN=3
//@[m3n3] executions: 336
//@[m3n4] cflags: -DM=3 -DN=4
//@[m3n4] executions: 720
//@[m1n3 m1n4 m1n5 m2n2 m2n3 m2n4 m2n5 m3n2 m3n3 m3n4] naive: no
//@[m1n2] slow: naive
//@[m1n5 m2n4 m3n3] slow: states
//@[m2n5 m3n4] states: no
//@ source: 2n(2n+1)...(2n+m-1): before or after the writer of each of n cells there are 2n places for a chooser's write, and one more for each further chooser's
//@[m1n2 m1n3 m1n4 m2n2 m2n3 m3n2] orders: 3
//@ native: run
// A counter runs while m threads draw a number from it and write the cell of that number, as the writer of this cell does.
// m writes cannot meet more than m writers; exploration that cares for no more than m of those it has to avoid learns
// too late that it cannot avoid the others.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
static atomic_int counter, cell[N];

static void *writer(void *arg) {
  cell[(long)arg] = 1;
  return 0;
}

static void *counts(void *arg) {
  for (int i = 1; i < N; i++)
    counter = i;
  return 0;
}

static void *chooser(void *arg) {
  cell[counter] = 2;
  return 0;
}

int main(void) {
  routine *routines[N + 1 + M];
  for (int i = 0; i < N; i++)
    routines[i] = writer;
  routines[N] = counts;
  for (int i = N + 1; i <= N + M; i++)
    routines[i] = chooser;
  run_all(N + 1 + M, routines);
  for (int i = 0; i < N; i++)
    assert(cell[i] != 0);
  return 0;
}
