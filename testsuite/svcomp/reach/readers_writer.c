// A lock for readers and writers from atomic blocks. Who cannot enter ends the execution, as `abort` does.
#include "../verifier.h"

int readers, writing;
int data, copy;

void *write(void *p) {
  __VERIFIER_atomic_begin();
  assume_abort_if_not(!writing && readers == 0);
  writing = 1;
  __VERIFIER_atomic_end();
  data = 1;
  copy = 1;
  __VERIFIER_atomic_begin();
  writing = 0;
  __VERIFIER_atomic_end();
  return p;
}

void *read(void *p) {
  __VERIFIER_atomic_begin();
  assume_abort_if_not(!writing);
  readers++;
  __VERIFIER_atomic_end();
  check(data == copy);
  __VERIFIER_atomic_begin();
  readers--;
  __VERIFIER_atomic_end();
  return p;
}

int main(void) {
  pthread_t r = start(read, 0), w = start(write, 0);
  join(r);
  join(w);
}
