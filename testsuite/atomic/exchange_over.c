//@ revisions: cleared freed frame
//@ verdict: safe
//@ executions: 2
//@ source: both exchanges fail, in whatever order; the two stores to x have two orders
//@[cleared] cflags: -DCLEARED
//@[freed] cflags: -DFREED
//@[frame] cflags: -DFRAME
// Two exchanges fail. When both threads are over, the word becomes what they expected: it is cleared by a plain store, its
// memory is freed, or it was in a frame that is no more.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;
static atomic_int *word;

static void *exchanges(void *arg) {
  int expected = 0;
  atomic_compare_exchange_strong(word, &expected, 2);
  x = 1;
  return arg;
}

static void *stores(void *arg) {
  int expected = 0;
  x = 2;
  atomic_compare_exchange_strong(word, &expected, 3);
  return arg;
}

static void run(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, exchanges, 0);
  pthread_create(&threads[1], 0, stores, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
}

int main(void) {
#ifdef CLEARED
  static atomic_int place = 1;
  word = &place;
  run();
  *(int *)word = 0;
#elif defined(FREED)
  word = malloc(sizeof *word);
  atomic_init(word, 1);
  run();
  free(word);
#else
  {
    atomic_int place = 1;
    word = &place;
    run();
  }
  volatile int after[4] = {0};
  return after[1];
#endif
}
