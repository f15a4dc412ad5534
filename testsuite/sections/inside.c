//@ verdict: unsafe(data-race)
//@ source: an access in a section races with one outside of any
#include "../threads.h"

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
  run_all(2, (routine *[]){first, second});
  return 0;
}
