//@ revisions: rounds missing
//@[rounds] verdict: safe
//@[rounds] executions: 1
//@[missing] verdict: unsafe(data-race)
//@[missing] cflags: -DONE_BARRIER
//@ naive: no
//@ source: by hand: all read before anybody writes, and all write before anybody reads: rounds of a barrier have one order; with one barrier in each step a thread reads what another one writes
// Prefix sums in two steps, each thread for one element.
#include <assert.h>
#include <pthread.h>

#define N 3

static pthread_barrier_t barrier;
static int a[N] = {1, 2, 3};

static void *element(void *arg) {
  long me = (long)arg;
  for (int distance = 1; distance < N; distance *= 2) {
    int other = me >= distance ? a[me - distance] : 0; //~[missing] data-race
#ifndef ONE_BARRIER
    pthread_barrier_wait(&barrier);
#endif
    a[me] += other;
    pthread_barrier_wait(&barrier);
  }
  return 0;
}

int main(void) {
  pthread_t threads[N];
  pthread_barrier_init(&barrier, 0, N);
  for (long i = 0; i < N; i++) pthread_create(&threads[i], 0, element, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
#ifndef ONE_BARRIER
  assert(a[0] == 1 && a[1] == 3 && a[2] == 6);
#endif
  pthread_barrier_destroy(&barrier);
}
