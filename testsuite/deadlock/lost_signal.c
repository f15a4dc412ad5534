//@ verdict: unsafe(deadlock)
//@ executions: 2
//@ source: the signal comes after the wait, or before it and is lost
//@ orders: 2
#include "../threads.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *waiter(void *arg) {
  pthread_mutex_lock(&m);
  pthread_cond_wait(&c, &m); //~ deadlock
  pthread_mutex_unlock(&m);
  return 0;
}

static void *signaller(void *arg) {
  pthread_mutex_lock(&m);
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){waiter, signaller});
  return 0;
}
