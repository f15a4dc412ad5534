//@ revisions: late same early same_early
//@ verdict: unsafe(data-race)
//@[late] cflags: -std=c11 -DVALUE=3 -DORDERING=memory_order_relaxed
//@[same] cflags: -std=c11 -DVALUE=1 -DORDERING=memory_order_relaxed
//@[early same_early] verdict: safe
//@[early] cflags: -std=c11 -DVALUE=3 -DORDERING=memory_order_release
//@[same_early] cflags: -std=c11 -DVALUE=1 -DORDERING=memory_order_release
//@ orders: 3
// Nobody reads the first two stores, which may leave the same value, but the third one carries on the first only if
// the other thread's store does not come in between (C11, 5.1.2.4, paragraph 10): the order of stores that nobody
// reads matters.
#include "../threads.h"
#include <stdatomic.h>
static int data;
static atomic_int flag;

static void *sender(void *arg) {
  data = 1; //~[late same] data-race
  atomic_store_explicit(&flag, 1, memory_order_release);
  atomic_store_explicit(&flag, 2, ORDERING);
  return 0;
}

static void *other(void *arg) {
  atomic_store_explicit(&flag, VALUE, memory_order_release);
  return 0;
}

static void *receiver(void *arg) {
  if (atomic_load_explicit(&flag, memory_order_acquire) == 2)
    return data == 1 ? 0 : (void *)1; //~[late same] data-race
  return 0;
}

int main(void) {
  run_all(3, (routine *[]){sender, other, receiver});
  return 0;
}
