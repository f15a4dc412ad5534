//@ verdict: safe
//@ revisions: o0 o1
//@[o1] cflags: -O1
//@ native: run
#include <assert.h>
#include <stdint.h>

int main(void) {
  volatile int8_t i8 = -128;
  volatile uint8_t u8 = 200;
  volatile int16_t i16 = -2;
  volatile int64_t i64 = INT64_MIN;
  volatile int five = 5, minus = -5, two = 2, shift = 31;
  assert((int8_t)-i8 == -128 && (uint8_t)(u8 + 100) == 44 && (uint16_t)i16 == 65534);
  assert(five / two == 2 && minus / two == -2 && minus % two == -1 && five % -two == 1);
  assert(minus >> 1 == -3 && (unsigned)minus >> 28 == 15 && 1u << shift == 0x80000000u);
  assert((uint64_t)i64 == 0x8000000000000000u && i64 < 0 && (int64_t)((uint64_t)i64 - 1) > 0);
  assert((five < minus) == 0 && ((unsigned)five < (unsigned)minus) == 1);
  assert((u8 & 0x0f) == 8 && (u8 | 1) == 201 && (u8 ^ 0xff) == 55 && (uint8_t)~u8 == 55);
  assert(__builtin_popcount(u8) == 3 && __builtin_ctz(u8) == 3 && __builtin_clz((unsigned)five) == 29);
  assert(__builtin_bswap32(0x01020304u) == 0x04030201u);
  int result;
  assert(__builtin_add_overflow(INT32_MAX, five, &result) && result == INT32_MIN + 4);
  assert(!__builtin_mul_overflow(five, minus, &result) && result == -25);
  return 0;
}
