//@ revisions: c11 c17 c23 weaker other update
//@ verdict: safe
//@[c11] cflags: -std=c11
//@[c17 weaker] cflags: -std=gnu17
//@[c23] cflags: -std=c23
//@[c23] verdict: unsafe(data-race)
//@[weaker] args: --race-model c20
//@[weaker] verdict: unsafe(data-race)
//@[other] cflags: -std=gnu17 -DOTHER=atomic_store_explicit(&flag,2,memory_order_relaxed)
//@[other] verdict: unsafe(data-race)
//@[update] cflags: -std=gnu17 -DOTHER=atomic_fetch_or_explicit(&flag,4,memory_order_relaxed)
//@ orders: 3
// C11 and C17, 5.1.2.4, paragraph 10: a release sequence goes on with stores of the thread that heads it and with
// read-modify-writes, and ends with another thread's store. In C++20 no store carries it on.
#include "../threads.h"
#include <stdatomic.h>
#ifndef OTHER
#define OTHER (void)0
#endif
static int data;
static atomic_int flag;

static void *sender(void *arg) {
  data = 1; //~[c23 weaker other] data-race
  atomic_store_explicit(&flag, 1, memory_order_release);
  atomic_store_explicit(&flag, 3, memory_order_relaxed);
  return 0;
}

static void *receiver(void *arg) {
  if ((atomic_load_explicit(&flag, memory_order_acquire) & 3) == 3)
    return data == 1 ? 0 : (void *)1; //~[c23 weaker other] data-race
  return 0;
}

static void *third(void *arg) {
  if (atomic_load_explicit(&flag, memory_order_relaxed) == 1)
    OTHER;
  return 0;
}

int main(void) {
  run_all(3, (routine *[]){sender, receiver, third});
  return 0;
}
