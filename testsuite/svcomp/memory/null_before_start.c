// The pointer is set by a thread that may be late.
#include "../verifier.h"

int x;
int *_Atomic pointer;

void *work(void *p) {
  pointer = &x;
  return p;
}

int main(void) {
  pthread_t t = start(work, 0);
  int seen = *pointer;
  join(t);
  return seen;
}
