// Adjacent bit-fields are one memory location.
#include "../verifier.h"

struct { unsigned a : 4, b : 4; } s;

void *work(void *p) {
  s.a = 1;
  return p;
}

int main(void) {
  pthread_t t = start(work, 0);
  s.b = 1;
  join(t);
}
