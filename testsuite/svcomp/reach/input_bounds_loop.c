// Two threads count up to an input, in a loop with an unsigned counter.
#include "../verifier.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned n, total;

void *work(void *p) {
  for (unsigned i = 0; i < n; i++) {
    pthread_mutex_lock(&m);
    total++;
    pthread_mutex_unlock(&m);
  }
  return p;
}

int main(void) {
  n = (unsigned)__VERIFIER_nondet_int();
  assume_abort_if_not(n <= 3);
  pthread_t t = start(work, 0);
  work(0);
  join(t);
  check(total == 2 * n);
}
