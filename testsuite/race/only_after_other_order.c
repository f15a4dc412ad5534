//@ verdict: unsafe(data-race)
//@ args: --interference sync
//@ executions: 2
//@ source: the orders of the two critical sections
//@ orders: 2
// The unprotected write happens only if the second thread comes first, and then the lock does not order it.
#include "../threads.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int taken, x;

static void *first(void *arg) {
  x = 1; //~ data-race
  pthread_mutex_lock(&m);
  taken = 1;
  pthread_mutex_unlock(&m);
  return 0;
}

static void *second(void *arg) {
  pthread_mutex_lock(&m);
  int late = taken;
  pthread_mutex_unlock(&m);
  if (!late)
    x = 2; //~ data-race
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){first, second});
  return 0;
}
