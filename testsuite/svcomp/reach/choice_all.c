// Whatever the number, its square is no two more than a multiple of four. Nobody tries all of them.
#include "../verifier.h"

int main(void) {
  unsigned x = (unsigned)__VERIFIER_nondet_int();
  check((x * x) % 4 != 2);
}
