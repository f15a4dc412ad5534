// Two fields of one structure are two memory locations.
#include "../verifier.h"

struct { char a, b; } s;

void *work(void *p) {
  s.a++;
  return p;
}

int main(void) {
  pthread_t t = start(work, 0);
  s.b++;
  join(t);
  check(s.a == 1 && s.b == 1);
}
