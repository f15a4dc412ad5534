// 2 to the power of 31 is no int.
#include "../verifier.h"

int main(void) {
  int n = 30 + __VERIFIER_nondet_bool();
  return (1 << n) == 0;
}
