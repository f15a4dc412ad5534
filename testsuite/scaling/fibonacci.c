//@ revisions: atomic atomic_bug plain plain_bug
//@ verdict: safe
//@[atomic_bug plain_bug] verdict: unsafe(assertion)
//@[atomic_bug plain_bug] cflags: -DBOUND=143
//@ executions: 8953
//@ observers: 8953
//@[plain plain_bug] cflags: -DSHARED=int
//@[plain plain_bug] args: --check assertion
//@ source: Fib in table 1 of unfolding-based POR, 2015; the classes of (Rj Wi)^5 beside (Ri Wj)^5, counted separately; observers: every write is read, so they change nothing
//@ naive: no
// Each thread adds the other's number to its own. In strict alternation they run through the numbers of Fibonacci, and
// no other way of going on gets further than the twelfth. LOOK: somebody looks meanwhile.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
#ifndef SHARED
#define SHARED atomic_int
#endif
#ifndef BOUND
#define BOUND 144
#endif
static SHARED i = 1, j = 1;

static void *one(void *arg) {
  for (int round = 0; round < 5; round++)
    i = i + j;
  return 0;
}

static void *two(void *arg) {
  for (int round = 0; round < 5; round++)
    j = j + i;
  return 0;
}

int main(void) {
#ifdef LOOK
  start_all(2, (routine *[]){one, two});
#else
  run_all(2, (routine *[]){one, two});
#endif
  assert(i <= BOUND && j <= BOUND); //~[atomic_bug plain_bug] assertion
#ifdef LOOK
  join_all(2);
#endif
  return 0;
}
