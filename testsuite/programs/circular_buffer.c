//@ revisions: right early_publication
//@[right] verdict: safe
//@[right] native: run
//@[early_publication] verdict: unsafe(data-race)
//@[early_publication] cflags: -DEARLY
//@ naive: no
//@ source: Lamport, Proving the correctness of multiprocess programs, 1977: one writer, one reader, two counters
// A ring with one producer and one consumer and no lock: who fills a place must do so before it says so.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
#define PLACES 2
#define ITEMS 3
static int ring[PLACES];
static atomic_uint head, tail;

static void put(int item) {
  unsigned at = atomic_load_explicit(&tail, memory_order_relaxed);
  while (at - atomic_load_explicit(&head, memory_order_acquire) == PLACES)
    ;
#ifdef EARLY
  atomic_store_explicit(&tail, at + 1, memory_order_release);
#endif
  ring[at % PLACES] = item;
#ifndef EARLY
  atomic_store_explicit(&tail, at + 1, memory_order_release);
#endif
}

static int take(void) {
  unsigned at = atomic_load_explicit(&head, memory_order_relaxed);
  while (atomic_load_explicit(&tail, memory_order_acquire) == at)
    ;
  int item = ring[at % PLACES]; //~[early_publication] data-race
  atomic_store_explicit(&head, at + 1, memory_order_release);
  return item;
}

static void *producer(void *arg) {
  (void)arg;
  for (int item = 1; item <= ITEMS; item++)
    put(item);
  return 0;
}

static void *consumer(void *arg) {
  (void)arg;
  for (int item = 1; item <= ITEMS; item++)
    assert(take() == item);
  return 0;
}

int main(void) {
  run_all(2, (routine *const[]){producer, consumer});
  return 0;
}
