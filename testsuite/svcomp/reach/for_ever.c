// A thread that counts round for ever, and one that looks: 3 is never there.
#include "../verifier.h"

_Atomic unsigned n;

void *count(void *p) {
  for (;;)
    n = (n + 1) % 3;
  return p;
}

int main(void) {
  start(count, 0);
  for (;;)
    check(n != 3);
}
