//@ revisions: release_acquire relaxed half relaxed_sc fences consume_fence_missing
//@[release_acquire] verdict: safe
//@[release_acquire] cflags: -DSTORE=release -DLOAD=acquire
//@[relaxed] verdict: unsafe(data-race)
//@[relaxed] cflags: -DSTORE=relaxed -DLOAD=relaxed
//@[half] verdict: unsafe(data-race)
//@[half] cflags: -DSTORE=release -DLOAD=relaxed
//@[relaxed_sc] verdict: safe
//@[relaxed_sc] args: --race-model sc
//@[relaxed_sc] cflags: -DSTORE=relaxed -DLOAD=relaxed
//@[fences] verdict: safe
//@[fences] cflags: -DSTORE=relaxed -DLOAD=relaxed -DRELEASE_FENCE -DACQUIRE_FENCE
//@[consume_fence_missing] verdict: unsafe(data-race)
//@[consume_fence_missing] cflags: -DSTORE=relaxed -DLOAD=relaxed -DRELEASE_FENCE
//@ executions: 2
//@ source: the flag is read before or after it is set
//@ orders: 2
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
#define PASTE(order) memory_order_##order
#define ORDERING(order) PASTE(order)
static int data;
static atomic_int ready;

static void *sender(void *arg) {
  data = 42; //~[relaxed half consume_fence_missing] data-race
#ifdef RELEASE_FENCE
  atomic_thread_fence(memory_order_release);
#endif
  atomic_store_explicit(&ready, 1, ORDERING(STORE));
  return 0;
}

static void *receiver(void *arg) {
  if (atomic_load_explicit(&ready, ORDERING(LOAD))) {
#ifdef ACQUIRE_FENCE
    atomic_thread_fence(memory_order_acquire);
#endif
    assert(data == 42); //~[relaxed half consume_fence_missing] data-race
  }
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){sender, receiver});
  return 0;
}
