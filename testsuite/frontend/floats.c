//@ verdict: safe
//@ native: run
#include <assert.h>
#include <math.h>
#include <stdint.h>

int main(void) {
  volatile double d = 0.1, zero = 0;
  volatile float f = 0.1f;
  volatile long double l = 0.1L;
  assert(d + 0.2 != 0.3 && fabs(d + 0.2 - 0.3) < 1e-15);
  assert((double)f != d);
  assert(l != (long double)d && (double)l == d && l * 10 == 1);
  assert((int)3.99 == 3 && (int)-3.99 == -3 && (uint8_t)(d * 2000) == 200);
  assert(1 / zero > 1e300 && isnan(zero / zero) && !(zero / zero == zero / zero));
  assert((double)(int64_t)9007199254740993 == 9007199254740992.0);
  assert(sqrt(2.25) == 1.5 && floor(-1.5) == -2 && ceil(1.2) == 2 && fmod(7, 4) == 3);
  union { double d; uint64_t u; } bits = {1.0};
  assert(bits.u == 0x3ff0000000000000u);
  return 0;
}
