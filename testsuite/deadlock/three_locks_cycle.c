//@ verdict: unsafe(deadlock)
//@ executions: 7
//@ source: three locks of two threads each: 2^3 orders, one of the cycles is the deadlock, the other cannot be
//@ naive: no
//@ orders: 3
#include "../threads.h"
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;

static void nested(pthread_mutex_t *outer, pthread_mutex_t *inner) {
  pthread_mutex_lock(outer);
  pthread_mutex_lock(inner); //~ deadlock
  pthread_mutex_unlock(inner);
  pthread_mutex_unlock(outer);
}

static void *ab(void *arg) {
  nested(&a, &b);
  return 0;
}

static void *bc(void *arg) {
  nested(&b, &c);
  return 0;
}

static void *ca(void *arg) {
  nested(&c, &a);
  return 0;
}

int main(void) {
  run_all(3, (routine *[]){ab, bc, ca});
  return 0;
}
