// Unsigned numbers have no overflow; neither has a conversion to a shorter type, which keeps what fits.
#include "../verifier.h"

int main(void) {
  unsigned u = 4294967295u;
  u += 1;
  u = 1u << 31;
  signed char c = 127;
  c++;
  return u == 0 && c == 0;
}
