// Data handed over by a flag that is atomic, and orders the accesses.
#include "../verifier.h"

_Atomic int ready;
int data;

void *produce(void *p) {
  data = 1;
  ready = 1;
  return p;
}

int main(void) {
  pthread_t t = start(produce, 0);
  if (ready)
    check(data == 1);
  join(t);
}
