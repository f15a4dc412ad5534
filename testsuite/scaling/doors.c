//@ verdict: safe
//@ revisions: n2 n3 n4 n6
//@[n2] cflags: -DN=2
//@[n2] executions: 5
//@[n3] cflags: -DN=3
//@[n3] executions: 7
//@[n4] cflags: -DN=4
//@[n4] executions: 9
//@[n6] cflags: -DN=6
//@[n6] executions: 13
//@[n3 n4 n6] naive: no
//@[n2] slow: naive
//@ source: the first stops or goes on; each further one comes too early, stops or goes on; the last one's writes have 2 orders: 1 + 2*(N-2) + 2+2
//@ orders: 3
//@ native: run
// A chain of threads, each of which opens the next door if its own is open and nobody has called a halt. Two writes far
// apart conflict only if all of them went on: linear many executions, but many ways to start one in vain.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
static atomic_int halt, open[N + 1], winner;

static void *link(void *arg) {
  long i = (long)arg;
  if (i > 0 && !open[i])
    return 0;
  if (halt)
    return 0;
  if (i == N - 1)
    winner = 2;
  else
    open[i + 1] = 1;
  return 0;
}

static void *other_writer(void *arg) {
  winner = 1;
  return 0;
}

static void *halts(void *arg) {
  halt = 1;
  return 0;
}

int main(void) {
  routine *routines[N + 2];
  for (int i = 0; i < N; i++)
    routines[i] = link;
  routines[N] = other_writer;
  routines[N + 1] = halts;
  run_all(N + 2, routines);
  assert(winner != 0);
  return 0;
}
