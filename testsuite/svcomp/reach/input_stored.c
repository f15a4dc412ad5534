// An input is stored under a lock, and what another thread finds there is compared with another input. They may be the same.
#include "../verifier.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int stored;

void *work(void *p) {
  int value = __VERIFIER_nondet_int();
  pthread_mutex_lock(&m);
  stored = value - 5;
  pthread_mutex_unlock(&m);
  return p;
}

int main(void) {
  int other = __VERIFIER_nondet_int();
  assume_abort_if_not(other > 100);
  pthread_t t = start(work, 0);
  pthread_mutex_lock(&m);
  check(stored != other);
  pthread_mutex_unlock(&m);
  join(t);
}
