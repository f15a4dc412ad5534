//@ verdict: unsafe(assertion)
//@ executions: 6
//@ source: 3!, the orders of three critical sections
//@ orders: 3
// The value tells the order: only one of six fails.
#include "../threads.h"
#include <assert.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int digits;

static void *append(void *arg) {
  pthread_mutex_lock(&m);
  digits = 10 * digits + 1 + (int)(long)arg;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  run_copies(3, append);
  assert(digits != 312); //~ assertion
  return 0;
}
