//@ revisions: counted published late
//@ verdict: safe
//@[published] cflags: -DPUBLISHED
//@[late] verdict: unsafe(data-race)
//@[late] cflags: -DLATE
//@ cutoffs: needed
//@ source: own; what relaxed accesses leave unordered is part of the state
// A thread waits for a flag by loads that order nothing. That is enough to count rounds for ever, and to read what was
// published if a fence follows. Without it the first round already races.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, rounds;
static int data;

static void *writer(void *arg) {
  data = 1; //~[late] data-race
  atomic_store_explicit(&flag, 1, memory_order_release);
  return arg;
}

static void *reader(void *arg) {
  while (!atomic_load_explicit(&flag, memory_order_relaxed)) {
  }
#ifdef PUBLISHED
  atomic_thread_fence(memory_order_acquire);
#endif
  while (1) {
    atomic_fetch_add_explicit(&rounds, 1, memory_order_relaxed);
    if (atomic_fetch_sub_explicit(&rounds, 1, memory_order_relaxed) == 0)
      break;
#if defined PUBLISHED || defined LATE
    if (!data) //~[late] data-race
      break;
#endif
  }
  return arg;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, writer, 0);
  pthread_create(&threads[1], 0, reader, 0);
  pthread_create(&threads[2], 0, reader, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
}
