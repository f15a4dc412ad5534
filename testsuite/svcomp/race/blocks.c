// One access is in an atomic block, and the other one in another.
#include "../verifier.h"

int data;

void *work(void *p) {
  __VERIFIER_atomic_begin();
  data++;
  __VERIFIER_atomic_end();
  return p;
}

int main(void) {
  pthread_t t = start(work, 0);
  __VERIFIER_atomic_begin();
  data++;
  __VERIFIER_atomic_end();
  join(t);
  check(data == 2);
}
