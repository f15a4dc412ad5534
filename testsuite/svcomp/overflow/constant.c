// The sum of two constants does not fit; compilers compute it before the program runs.
#include "../verifier.h"

int main(void) {
  int x = 2147483647 + 1;
  return x == 0;
}
