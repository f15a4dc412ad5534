// Undefined, but no overflow: nothing can be said of what follows.
#include "../verifier.h"

int main(void) {
  int zero = __VERIFIER_nondet_bool();
  return 1 / zero;
}
