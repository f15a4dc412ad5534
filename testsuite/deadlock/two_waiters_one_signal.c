//@ verdict: unsafe(deadlock)
//@ executions: 10
//@ source: orders of the sections A, B, S. S first: lost, 2; A S B and B S A: the woken thread's rest before or after the other: 2 each; S last: either wakes: 2 orders * 2
//@ orders: 3
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
  run_all(3, (routine *[]){waiter, waiter, signaller});
  return 0;
}
