//@ revisions: destroyed not
//@[destroyed] verdict: safe
//@[destroyed] executions: 4
//@[not] verdict: unsafe(memory)
//@[not] cflags: -DNOT_DESTROYED
//@ source: by hand: each of the two may be told so, and then destroys the barrier before the other one has left, or afterwards: 2 * 2; destroying waits for the other one to be out of the barrier, freeing does not
// Whoever is told that it is the one frees the barrier.
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t *barrier;

static void *worker(void *arg) {
  if (pthread_barrier_wait(barrier) == PTHREAD_BARRIER_SERIAL_THREAD) { //~[not] memory
#ifndef NOT_DESTROYED
    pthread_barrier_destroy(barrier);
#endif
    free(barrier);
  }
  return 0;
}

int main(void) {
  pthread_t thread;
  barrier = malloc(sizeof *barrier);
  pthread_barrier_init(barrier, 0, 2);
  pthread_create(&thread, 0, worker, 0);
  worker(0);
  pthread_join(thread, 0);
}
