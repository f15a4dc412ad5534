//@ revisions: both_release shorter_relaxed longer_relaxed
//@ verdict: safe
//@[shorter_relaxed longer_relaxed] verdict: unsafe(data-race)
//@[shorter_relaxed] cflags: -DSHORTER=memory_order_relaxed
//@[longer_relaxed] cflags: -DLONGER=memory_order_relaxed
//@ executions: 4
//@ source: two ways, and the reader comes before or after
//@ orders: 2
// Two ways lead to the same memory, but only one of them publishes the data. Who takes the state for all that matters,
// and goes on from one of the two alone, loses the race.
#include "../threads.h"
#include <stdatomic.h>
#include <stdbool.h>
#ifndef SHORTER
#define SHORTER memory_order_release
#endif
#ifndef LONGER
#define LONGER memory_order_release
#endif
extern bool __VERIFIER_nondet_bool(void);
static int data;
static atomic_int flag, idle, ready;

static void *writer(void *arg) {
  data = 1; //~[shorter_relaxed longer_relaxed] data-race
  if (__VERIFIER_nondet_bool()) {
    atomic_store_explicit(&flag, 1, SHORTER);
  } else {
    atomic_store_explicit(&idle, 0, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, LONGER);
  }
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return 0;
}

static void *reader(void *arg) {
  if (atomic_load_explicit(&ready, memory_order_relaxed))
    if (atomic_load_explicit(&flag, memory_order_acquire))
      return data == 1 ? 0 : arg; //~[shorter_relaxed longer_relaxed] data-race
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){writer, reader});
  return 0;
}
