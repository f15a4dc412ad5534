//@ verdict: safe
//@ revisions: one2 one3 two2 two3 one_forever two_forever
//@[one2] cflags: -DROUNDS=2
//@[one2] executions: 90
//@[one3] cflags: -DROUNDS=3
//@[one3] executions: 1680
//@[two2] cflags: -DTWO -DROUNDS=2
//@[two2] executions: 36
//@[two3] cflags: -DTWO -DROUNDS=3
//@[two3] executions: 400
//@[one_forever] cflags: -DFOREVER -DMAX=2
//@[two_forever] cflags: -DTWO -DFOREVER -DMAX=2
//@[one_forever two_forever] cutoffs: needed
//@ naive: no
//@ source: the orders of the critical sections of each lock: (3r)!/(r!)^3 for three threads, ((2r)!/(r!)^2)^2 for two pairs; with 5 rounds PRODCONS and PRODCONS(2) of unfolding-based POR, 2015: 756756 and 63504
//@ orders: 2
// Producers and consumers that do not wait: who finds no room or no goods goes on. Two producers and a consumer share a
// buffer, or (TWO) each of two pairs has its own.
#include "../threads.h"
#include <assert.h>
#ifndef MAX
#define MAX 6
#endif
#ifdef FOREVER
#define EACH_ROUND while (1)
#else
#define EACH_ROUND for (int round = 0; round < ROUNDS; round++)
#endif
static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int stored[2];

static long buffer_of(void *arg) {
#ifdef TWO
  return (long)arg / 2;
#else
  return 0;
#endif
}

static void *producer(void *arg) {
  long b = buffer_of(arg);
  EACH_ROUND {
    pthread_mutex_lock(&m[b]);
    if (stored[b] < MAX)
      stored[b]++;
    assert(stored[b] <= MAX);
    pthread_mutex_unlock(&m[b]);
  }
  return 0;
}

static void *consumer(void *arg) {
  long b = buffer_of(arg);
  EACH_ROUND {
    pthread_mutex_lock(&m[b]);
    if (stored[b] > 0)
      stored[b]--;
    assert(stored[b] >= 0);
    pthread_mutex_unlock(&m[b]);
  }
  return 0;
}

int main(void) {
#ifdef TWO
  run_all(4, (routine *[]){producer, consumer, producer, consumer});
#else
  run_all(3, (routine *[]){producer, producer, consumer});
#endif
  return 0;
}
