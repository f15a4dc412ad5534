//@ verdict: safe
//@ executions: 2
//@ source: who comes first waits and is woken
//@ orders: 2
//@ native: run
#include "../threads.h"
#include <assert.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
static int arrived;
static int before[2];

static void *worker(void *arg) {
  long i = (long)arg;
  before[i] = 1;
  pthread_mutex_lock(&m);
  if (++arrived == 2)
    pthread_cond_broadcast(&all_here);
  while (arrived < 2)
    pthread_cond_wait(&all_here, &m);
  pthread_mutex_unlock(&m);
  assert(before[1 - i] == 1);
  return 0;
}

int main(void) {
  run_copies(2, worker);
  return 0;
}
