//@ verdict: unsafe(deadlock)
//@ slow: naive
//@ executions: 3
//@ source: AB/BA locking; the bystander, who ends, and main, who waits, add no order
//@ orders: 3
#include "../threads.h"
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, own = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *arg) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b); //~ deadlock
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return 0;
}

static void *second(void *arg) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a); //~ deadlock
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return 0;
}

static void *bystander(void *arg) {
  pthread_mutex_lock(&own);
  pthread_mutex_unlock(&own);
  return 0;
}

int main(void) {
  run_all(3, (routine *[]){first, second, bystander});
  return 0;
}
