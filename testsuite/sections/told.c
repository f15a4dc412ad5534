//@ revisions: after before
//@[after] verdict: safe
//@[after] source: the flag, though relaxed, says that the first section is over; so the lock orders the two writes
//@[before] verdict: unsafe(data-race)
//@[before] cflags: -DBEFORE
//@[before] source: the second section may come before the first one, and then nothing orders the two writes
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counters[2], shared;
static atomic_int told;

static void count(long which) {
  pthread_mutex_lock(&lock);
  counters[which]++;
  pthread_mutex_unlock(&lock);
}

static void *tells(void *arg) {
  shared = 1; //~[before] data-race
  count(0);
  atomic_store_explicit(&told, 1, memory_order_relaxed);
  return arg;
}

static void *is_told(void *arg) {
#ifdef BEFORE
  count(1);
#endif
  if (atomic_load_explicit(&told, memory_order_relaxed)) {
#ifndef BEFORE
    count(1);
#endif
    shared = 2; //~[before] data-race
  } else {
#ifndef BEFORE
    count(1);
#endif
  }
  return arg;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, tells, 0);
  pthread_create(&threads[1], 0, is_told, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  return 0;
}
