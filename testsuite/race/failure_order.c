//@ revisions: acquire relaxed release
//@[acquire] verdict: safe
//@[acquire] cflags: -DSUCCESS=memory_order_relaxed -DFAILURE=memory_order_acquire
//@[relaxed] verdict: unsafe(data-race)
//@[relaxed] cflags: -DSUCCESS=memory_order_acquire -DFAILURE=memory_order_relaxed
//@[release] verdict: safe
//@[release] cflags: -DSUCCESS=memory_order_acq_rel -DFAILURE=memory_order_acquire
//@ orders: 2
// A compare-exchange that fails is a load with the order given for that (C11, 7.17.7.4), which may be the stronger
// one (C++17).
#include "../threads.h"
#include <stdatomic.h>
static int data;
static atomic_int flag;

static void *sender(void *arg) {
  data = 1; //~[relaxed] data-race
  atomic_store_explicit(&flag, 1, memory_order_release);
  return 0;
}

static void *receiver(void *arg) {
  int expected = 2;
  if (!atomic_compare_exchange_strong_explicit(&flag, &expected, 3, SUCCESS, FAILURE) && expected == 1)
    return data == 1 ? 0 : (void *)1; //~[relaxed] data-race
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){sender, receiver});
  return 0;
}
