//@ revisions: safe sum difference product bits
//@[safe bits] verdict: safe
//@[sum difference product] verdict: unsafe(overflow)
//@[sum] cflags: -DSUM
//@[difference] cflags: -DDIFFERENCE
//@[product] cflags: -DPRODUCT
//@[bits] cflags: -DBITS
// Inputs of 128 bits. SUM, DIFFERENCE, PRODUCT: the one that does not fit. BITS: what the compiler has for counting
// bits.
#include <assert.h>
#include <limits.h>
extern __int128 __VERIFIER_nondet_int128(void);
extern unsigned __int128 __VERIFIER_nondet_uint128(void);
extern unsigned __VERIFIER_nondet_uint(void);
#define TOP ((__int128)1 << 126)

int main(void) {
  __int128 a = __VERIFIER_nondet_int128();
  unsigned __int128 u = __VERIFIER_nondet_uint128();
#if defined SUM
  __int128 sum = a == TOP ? a + TOP : 0; //~[sum] overflow
#elif defined DIFFERENCE
  __int128 difference = a == -TOP - TOP ? a - 1 : 0; //~[difference] overflow
#elif defined PRODUCT
  __int128 product = a == TOP ? a * 2 : 0; //~[product] overflow
#elif defined BITS
  unsigned x = __VERIFIER_nondet_uint();
  unsigned ones = 0;
  for (int i = 0; i < 32; i++)
    ones += x >> i & 1;
  assert(__builtin_popcount(x) == (int)ones);
  if (x) {
    assert(x >> __builtin_ctz(x) & 1 && !(x & ((1u << __builtin_ctz(x)) - 1)));
    assert(x >> (31 - __builtin_clz(x)) == 1);
  }
  assert(__builtin_bitreverse32(__builtin_bitreverse32(x)) == x && __builtin_bitreverse32(x) >> 31 == (x & 1));
#else
  assert((unsigned long)u == (unsigned long)(u << 64 >> 64));
  assert((u ^ (u >> 127 << 127)) <= ~(unsigned __int128)0 >> 1);
  if (a > LONG_MAX)
    assert(a >> 63 != 0 && (long)(a >> 64) >= 0);
  __int128 next;
  if (!__builtin_add_overflow(a, a, &next))
    assert((next ^ a) >= 0);
  if (u < 1000)
    assert(u + 1 <= 1000);
#endif
  return 0;
}
