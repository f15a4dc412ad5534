//@ revisions: acquire relaxed
//@[acquire] verdict: safe
//@[acquire] cflags: -DLOAD=memory_order_acquire
//@[acquire] executions: 4
//@[acquire] source: both look first and one locks first: 2; one has made it before the other looks: 2
//@[relaxed] verdict: unsafe(data-race)
//@[relaxed] cflags: -DLOAD=memory_order_relaxed
//@ orders: 2
// Double-checked locking.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int made;
static int object;

static void *user(void *arg) {
  if (!atomic_load_explicit(&made, LOAD)) {
    pthread_mutex_lock(&m);
    if (!atomic_load_explicit(&made, memory_order_relaxed)) {
      object = 42; //~[relaxed] data-race
      atomic_store_explicit(&made, 1, memory_order_release);
    }
    pthread_mutex_unlock(&m);
  }
  assert(object == 42); //~[relaxed] data-race
  return 0;
}

int main(void) {
  run_copies(2, user);
  return 0;
}
