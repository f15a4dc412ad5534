//@ verdict: safe
//@ executions: 2
//@ source: both take a, then b; who has a first has b first (b alone cannot be reversed)
//@ orders: 2
//@ native: run
#include "../threads.h"
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *both(void *arg) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return 0;
}

int main(void) {
  run_copies(2, both);
  return 0;
}
