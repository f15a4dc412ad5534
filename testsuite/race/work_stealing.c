//@ revisions: c11 weaker
//@ cflags: -std=c11
//@[c11] verdict: safe
//@[weaker] verdict: unsafe(data-race)
//@[weaker] args: --race-model c20
//@ orders: 2
// A deque of Chase and Lev: the owner publishes a task with a release store of `bottom`, and puts it back with
// relaxed ones when it does not take the last task. C11, 5.1.2.4, paragraph 10: these carry on the release sequence
// of the first. Not so in C++20.
#include "../threads.h"
#include <stdatomic.h>
static int tasks[2], results[2];
static atomic_long top, bottom;

static int steal(long *task) {
  long t = atomic_load(&top);
  if (t >= atomic_load_explicit(&bottom, memory_order_acquire))
    return 0;
  *task = tasks[t]; //~[weaker] data-race
  return atomic_compare_exchange_strong(&top, &t, t + 1);
}

static void *owner(void *arg) {
  tasks[0] = 7; //~[weaker] data-race
  atomic_store_explicit(&bottom, 1, memory_order_release);
  long b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1, t = 0;
  atomic_store_explicit(&bottom, b, memory_order_relaxed);
  int taken = atomic_compare_exchange_strong(&top, &t, 1);
  atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
  if (taken)
    results[0] = tasks[0];
  return 0;
}

static void *thief(void *arg) {
  long task;
  if (steal(&task))
    results[1] = (int)task;
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){owner, thief});
  return results[0] + results[1] != 7;
}
