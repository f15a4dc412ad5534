//@ revisions: m64 m32
//@[m32] args: -m32
//@ verdict: safe
//@ source: C17 6.2.5 paragraph 9, 6.3.1.1, 6.3.1.3, 6.5.7
//@ native: run
// The repaired twins of arithmetic.c, and what looks like overflow: unsigned numbers wrap, small types are promoted
// before and truncated after, what is wide enough fits.
#include <assert.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  volatile int i = INT_MAX, small = INT_MIN, minus = -1, two = 2;
  volatile unsigned u = UINT_MAX, zero = 0;
  volatile signed char c = 127;
  volatile short s = SHRT_MIN;
  assert((long long)i + 1 == 2147483648LL && (long long)small - 1 == -2147483649LL);
  assert(u + 1 == 0 && zero - 1 == UINT_MAX && u * u == 1 && -zero == 0 && u << 31 == 0x80000000u);
  assert(i + minus == INT_MAX - 1 && small - minus == INT_MIN + 1 && i * minus == -INT_MAX && -i == INT_MIN + 1);
  assert(c * c == 16129 && c + 1 == 128 && -s == 32768);
  c++; // int arithmetic, converted back
  s--;
  c += 1;
  assert(c == -127 && s == SHRT_MAX);
  assert(small / two == -1073741824 && small % two == 0 && (small + 1) / minus == INT_MAX && (small + 1) % minus == 0);
  assert(abs(small + 1) == INT_MAX && labs(minus) == 1);
  assert((1 << two * 15) == 1073741824 && (-1 >> two * 15) == -1 && 1u << 31 == 0x80000000u);
  int sum;
  assert(__builtin_add_overflow(i, 1, &sum) && sum == INT_MIN && !__builtin_sub_overflow(i, 1, &sum));
  return 0;
}
