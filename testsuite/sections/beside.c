//@ verdict: unsafe(data-race)
//@ source: what a thread writes before its section, and another one after its own, races though the sections follow one another
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counters[2], shared;

static void *first(void *arg) {
  shared = 1; //~ data-race
  pthread_mutex_lock(&lock);
  counters[0]++;
  pthread_mutex_unlock(&lock);
  return arg;
}

static void *second(void *arg) {
  pthread_mutex_lock(&lock);
  counters[1]++;
  pthread_mutex_unlock(&lock);
  shared = 2; //~ data-race
  return arg;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, second, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}
