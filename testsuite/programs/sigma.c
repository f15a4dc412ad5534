//@ revisions: own_index
//@[own_index] verdict: safe
//@[own_index] cflags: -DINDEX=(long)arg
//@[own_index] executions: 1
//@[own_index] native: run
//@[own_index] orders: 2
//@ source: with places of their own the threads share nothing
// Each thread marks the place that the creator has prepared for it. The creator goes on to the next place meanwhile.
#include "../threads.h"
#include <assert.h>
#define THREADS 3
static int array[THREADS];
static long last = -1;

static void *mark(void *arg) {
  (void)arg;
  array[INDEX] = 1;
  return 0;
}

int main(void) {
  pthread_t all[THREADS];
  for (long n = 0; n < THREADS; n++) {
#ifdef ORDER
    long me = ORDER ? THREADS - 1 - n : n;
#else
    long me = n;
#endif
    last++;
    pthread_create(&all[n], 0, mark, (void *)me);
  }
  int sum = 0;
  for (int n = 0; n < THREADS; n++) {
    pthread_join(all[n], 0);
  }
  for (int n = 0; n < THREADS; n++)
    sum += array[n];
  assert(sum == THREADS);
  return 0;
}
