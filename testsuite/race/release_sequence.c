//@ revisions: rmw store
//@[rmw] verdict: safe
//@[rmw] cflags: -DNEXT=atomic_fetch_add_explicit(&x,1,memory_order_relaxed)
//@[store] verdict: unsafe(data-race)
//@[store] cflags: -DNEXT=atomic_store_explicit(&x,2,memory_order_relaxed)
//@ orders: 3
// A relaxed read-modify-write of another thread continues the release sequence; a store by another thread ends it.
#include "../threads.h"
#include <stdatomic.h>
static int data;
static atomic_int x;

static void *first(void *arg) {
  data = 1; //~[store] data-race
  atomic_store_explicit(&x, 1, memory_order_release);
  return 0;
}

static void *second(void *arg) {
  if (atomic_load_explicit(&x, memory_order_relaxed) == 1)
    NEXT;
  return 0;
}

static void *third(void *arg) {
  if (atomic_load_explicit(&x, memory_order_acquire) == 2)
    return data == 1 ? 0 : (void *)1; //~[store] data-race
  return 0;
}

int main(void) {
  run_all(3, (routine *[]){first, second, third});
  return 0;
}
