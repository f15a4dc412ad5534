//@ verdict: unsafe(data-race)
//@ source: what a thread writes before its section, and another one after its own, races though the sections follow one another
#include "../threads.h"

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
  run_all(2, (routine *[]){first, second});
  return 0;
}
