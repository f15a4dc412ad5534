//@ verdict: unsafe(deadlock)
//@ source: two threads lock two mutexes in opposite orders, beside sections that have nothing to do with one another
#include "../threads.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int counters[2];

static void count(long me) {
  pthread_mutex_lock(&a);
  counters[me]++;
  pthread_mutex_unlock(&a);
}

static void *first(void *arg) {
  count(0);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b); //~ deadlock
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return arg;
}

static void *second(void *arg) {
  count(1);
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return arg;
}

int main(void) {
  run_all(2, (routine *[]){first, second});
  return 0;
}
