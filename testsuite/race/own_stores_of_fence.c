//@ revisions: fence none cxx other
//@[fence] verdict: safe
//@[fence cxx] cflags: -std=c11 -DFENCE=memory_order_release
//@[none] verdict: unsafe(data-race)
//@[none] cflags: -std=c11 -DFENCE=memory_order_acquire
//@[cxx] args: --race-model c20
//@[cxx] verdict: safe
//@[other] verdict: unsafe(data-race)
//@[other] cflags: -std=c11 -DFENCE=memory_order_release -DEARLY
//@ orders: 2
// A relaxed store after a release fence carries what was done before the fence (C11, 7.17.4, paragraph 2), the second
// one, too, whatever a release sequence is; what is done after the fence it does not carry.
#include "../threads.h"
#include <stdatomic.h>
static int data;
static atomic_int flag;

static void *sender(void *arg) {
#ifdef EARLY
  atomic_thread_fence(FENCE);
  data = 1; //~[other] data-race
#else
  data = 1; //~[none] data-race
  atomic_thread_fence(FENCE);
#endif
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  atomic_store_explicit(&flag, 2, memory_order_relaxed);
  return 0;
}

static void *receiver(void *arg) {
  if (atomic_load_explicit(&flag, memory_order_relaxed) == 2) {
    atomic_thread_fence(memory_order_acquire);
    return data == 1 ? 0 : (void *)1; //~[none other] data-race
  }
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){sender, receiver});
  return 0;
}
