//@ verdict: safe
//@ native: run
//@ executions: 4
//@ source: by hand: each of the two may be told so, and then destroys the barrier before the other one has left, or afterwards: 2 * 2
// Whoever is told that it is the one destroys the barrier, and makes it anew for the next round.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int ready;

static void *worker(void *arg) {
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
    pthread_barrier_destroy(&barrier);
    ready++;
  }
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&thread, 0, worker, 0);
  worker(0);
  pthread_join(thread, 0);
  assert(ready == 1);
  pthread_barrier_init(&barrier, 0, 1);
  assert(pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
  pthread_barrier_destroy(&barrier);
}
