// One of the first values already leads to the error.
#include "../verifier.h"

_Atomic int x;

void *work(void *p) {
  x = __VERIFIER_nondet_int();
  return p;
}

int main(void) {
  pthread_t t = start(work, 0);
  join(t);
  check(x != 1);
}
