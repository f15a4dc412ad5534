// Three threads write their letters. Nothing orders the two.
#include "../verifier.h"

_Atomic char value = 'a';

void *x(void *p) {
  value = 'x';
  return p;
}

void *y(void *p) {
  value = 'y';
  return p;
}

int main(void) {
  pthread_t a = start(x, 0);
  pthread_t b = start(y, 0);
  join(b);
  check(value == 'y');
  join(a);
}
