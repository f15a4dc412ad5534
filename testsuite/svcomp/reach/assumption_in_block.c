// A spin lock whose attempts are assumptions: an atomic block aborts where the lock is taken.
#include "../verifier.h"

int lock, inside;

static void acquire(void) {
  __VERIFIER_atomic_begin();
  assume_abort_if_not(lock == 0);
  lock = 1;
  __VERIFIER_atomic_end();
}

static void release(void) {
  __VERIFIER_atomic_begin();
  lock = 0;
  __VERIFIER_atomic_end();
}

void *work(void *p) {
  acquire();
  inside++;
  check(inside == 1);
  inside--;
  release();
  return p;
}

int main(void) {
  pthread_t a = start(work, 0), b = start(work, 0);
  join(a);
  join(b);
}
