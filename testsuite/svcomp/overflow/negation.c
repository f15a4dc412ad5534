// The smallest number has no counterpart.
#include <limits.h>
#include "../verifier.h"

int main(void) {
  int x = INT_MIN + __VERIFIER_nondet_bool();
  return -x == 0;
}
