// One access is in an atomic block; that does not help against a plain one, whose read and write it may come
// between.
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
  data++;
  join(t);
  check(data == 2);
}
