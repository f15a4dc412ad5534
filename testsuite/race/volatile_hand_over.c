//@ revisions: plain relaxed fenced mixed
//@ orders: 2
//@[plain relaxed mixed] verdict: unsafe(data-race)
//@[fenced] verdict: safe
//@[relaxed fenced mixed] args: --volatile atomic
//@[plain fenced] cflags: -DFENCE=atomic_thread_fence
//@[mixed] cflags: -DFENCE=atomic_thread_fence -DMIXED
//@[fenced] executions: 2
//@[fenced] source: the read of `ready` comes before or after its write
// A volatile access counts as a relaxed atomic one: it hands nothing over without a fence, and a plain access of the same
// variable still races with it.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
#ifndef FENCE
#define FENCE(order) (void)0
#endif
#ifdef MIXED
#define READY (*(int *)&ready)
#else
#define READY ready
#endif
static int data;
static volatile int ready;

static void *writer(void *arg) {
  data = 1; //~[relaxed] data-race
  FENCE(memory_order_release);
  ready = 1; //~[plain mixed] data-race
  return 0;
}

static void *reader(void *arg) {
  if (READY) { //~[plain mixed] data-race
    FENCE(memory_order_acquire);
    assert(data == 1); //~[relaxed] data-race
  }
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){writer, reader});
  return 0;
}
