//@ revisions: ordered early
//@[ordered] verdict: safe
//@[early] verdict: unsafe(data-race)
//@[early] cflags: -DEARLY
//@ cutoffs: needed
//@ source: by hand: what the producer wrote happens before its release of the tail, which the consumer acquires; if the tail moves first, it does not
// A ring for one producer and one consumer, without locks.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 2
#define ITEMS 3

static int items[SIZE];
static atomic_int head, tail;

static void *producer(void *arg) {
  for (int i = 0; i < ITEMS; i++) {
    while (i - atomic_load_explicit(&head, memory_order_acquire) == SIZE) {
    }
#ifdef EARLY
    atomic_store_explicit(&tail, i + 1, memory_order_release);
    items[i % SIZE] = i;
#else
    items[i % SIZE] = i;
    atomic_store_explicit(&tail, i + 1, memory_order_release);
#endif
  }
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, producer, 0);
  for (int i = 0; i < ITEMS; i++) {
    while (atomic_load_explicit(&tail, memory_order_acquire) == i) {
    }
    int item = items[i % SIZE]; //~[early] data-race
#ifndef EARLY
    assert(item == i);
#endif
    (void)item;
    atomic_store_explicit(&head, i + 1, memory_order_release);
  }
  pthread_join(thread, 0);
}
