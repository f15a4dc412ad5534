//@ revisions: right unfenced
//@ verdict: safe
//@[right] args: --check assertion,data-race
//@[unfenced] args: --check assertion
//@[unfenced] cflags: -DUNFENCED
//@ cutoffs: needed
//@ source: Boehm, Can seqlocks get along with programming language memory models, 2012: relaxed data between fences
// A sequence lock as it is written for C11: the words it protects are relaxed atomics. A writer changes both of them three
// times; a reader, for ever, never keeps two that differ. (Without fences that is right as well, as long as atomics are taken
// to be sequentially consistent.)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int words[2];

static void fence(memory_order order) {
#ifndef UNFENCED
  atomic_thread_fence(order);
#endif
  (void)order;
}

static void *writer(void *arg) {
  for (unsigned round = 0; round < 3; round++) {
    atomic_store_explicit(&sequence, 2 * round + 1, memory_order_relaxed);
    fence(memory_order_release);
    for (int i = 0; i < 2; i++)
      atomic_store_explicit(&words[i], (int)round, memory_order_relaxed);
    atomic_store_explicit(&sequence, 2 * round + 2, memory_order_release);
  }
  return arg;
}

static void *reader(void *arg) {
  while (1) {
    unsigned before = atomic_load_explicit(&sequence, memory_order_acquire);
    if (before & 1)
      continue;
    int first = atomic_load_explicit(&words[0], memory_order_relaxed);
    int second = atomic_load_explicit(&words[1], memory_order_relaxed);
    fence(memory_order_acquire);
    if (atomic_load_explicit(&sequence, memory_order_relaxed) == before)
      assert(first == second);
  }
  return arg;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, writer, 0);
  pthread_create(&threads[1], 0, reader, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
}
