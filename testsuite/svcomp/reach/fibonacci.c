// Both numbers grow by each other, twice each. The most that comes of it is 1 1, 2 1, 2 3, 5 3, 5 8 (each addition sees the
// one before): 8 is reached.
#include "../verifier.h"

int i = 1, j = 1;

void __VERIFIER_atomic_add_to_i(void) { i += j; }
void __VERIFIER_atomic_add_to_j(void) { j += i; }

void *first(void *p) {
  __VERIFIER_atomic_add_to_i();
  __VERIFIER_atomic_add_to_i();
  return p;
}

void *second(void *p) {
  __VERIFIER_atomic_add_to_j();
  __VERIFIER_atomic_add_to_j();
  return p;
}

int main(void) {
  pthread_t a = start(first, 0), b = start(second, 0);
  join(a);
  join(b);
  check(i < 8 && j < 8);
}
