//@ verdict: safe
//@ executions: 1
//@ source: three threads with three mutexes do not meet
//@ orders: 3
//@ native: run
#include "../threads.h"
static pthread_mutex_t m[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int counter[3];

static void *own(void *arg) {
  long i = (long)arg;
  pthread_mutex_lock(&m[i]);
  counter[i]++;
  pthread_mutex_unlock(&m[i]);
  return 0;
}

int main(void) {
  run_copies(3, own);
  return counter[0] + counter[1] + counter[2] == 3 ? 0 : 1;
}
