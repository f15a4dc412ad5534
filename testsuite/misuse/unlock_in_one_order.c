//@ verdict: unsafe(misuse)
//@ executions: 2
//@ source: the orders of the two sections; the flag read in the second decides
//@ orders: 2
// The error path unlocks what it never locked, and only if the other thread came first.
#include "../threads.h"
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER, work = PTHREAD_MUTEX_INITIALIZER;
static int closed;

static void *closer(void *arg) {
  pthread_mutex_lock(&guard);
  closed = 1;
  pthread_mutex_unlock(&guard);
  return 0;
}

static void *worker(void *arg) {
  pthread_mutex_lock(&guard);
  int stop = closed;
  pthread_mutex_unlock(&guard);
  if (!stop)
    pthread_mutex_lock(&work);
  pthread_mutex_unlock(&work); //~ misuse
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){closer, worker});
  return 0;
}
