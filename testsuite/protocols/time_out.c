//@ revisions: all assertion
//@ verdict: unsafe(assertion)
//@[assertion] args: --check assertion
//@ cutoffs: needed
//@ source: own; a state that comes again at a later time is not the same state
// A thread tries for so long, which takes it more rounds than there are states without the clock.
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *arg) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return arg;
}

static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_nsec;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  long began = now();
  while (1) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    assert(now() - began < 100000); //~ assertion
  }
}
