// Three threads write their letters. The last one is started when the first one has ended.
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
  join(a);
  pthread_t b = start(y, 0);
  join(b);
  check(value == 'y');
  
}
