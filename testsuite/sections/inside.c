//@ verdict: unsafe(data-race)
//@ source: an access in a section races with one outside of any
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counters[2];

static void *first(void *arg) {
  pthread_mutex_lock(&lock);
  counters[0]++; //~ data-race
  pthread_mutex_unlock(&lock);
  return arg;
}

static void *second(void *arg) {
  pthread_mutex_lock(&lock);
  counters[1]++;
  pthread_mutex_unlock(&lock);
  counters[0] = 7; //~ data-race
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
