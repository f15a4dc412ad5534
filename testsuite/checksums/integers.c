//@ verdict: safe
//@ executions: 1
//@ source: one thread; the checksum is that of clang's own code for the same program
//@ revisions: plain o1 o2 v3 m32 m32o2
//@ cflags: -fwrapv -Wno-everything
//@[plain] cflags: -DEXPECTED=1028248725u
//@[o1] cflags: -O1 -DEXPECTED=1028248725u
//@[o2] cflags: -O2 -DEXPECTED=1028248725u
//@[v3] cflags: -O3 -march=x86-64-v3 -DEXPECTED=1028248725u
//@[m32] cflags: -m32 -DEXPECTED=1028248725u
//@[m32o2] cflags: -m32 -O2 -DEXPECTED=1028248725u
// Integers of many widths: arithmetic, shifts, comparisons, bit operations, overflow, bit-fields, switches.
#include "checksum.h"
struct bf {
  int a : 3;
  unsigned b : 7;
  long long c : 40;
  unsigned char d : 1;
};
typedef unsigned _BitInt(24) u24;
typedef _BitInt(37) i37;
typedef _BitInt(100) i100;
static struct bf g = {-2, 77, -123456789LL, 1};
u24 g24 = 0xabcdef;

static void test(int s) {
  for (int k = 0; k < 20; k++) {
    uint64_t a = ((uint64_t)rnd() << 32) | rnd(), b = ((uint64_t)rnd() << 32 | rnd()) >> (rnd() & 63);
    uint32_t x = rnd(), y = rnd() | 1;
    int32_t p = (int)rnd(), q = (int)(rnd() | 1);
    int16_t h = rnd(), i = rnd();
    int8_t c = rnd(), d = rnd() | 1;
    mix(a + b);
    mix(a - b);
    mix(a * b);
    mix(b ? a / b : 7);
    mix(b ? a % b : 9);
    mix(x / y);
    mix(x % y);
    mix(q != -1 ? p / q : 3);
    mix(q != -1 ? p % q : 4);
    mix((int64_t)a >> (x & 63));
    mix(a >> (x & 63));
    mix(a << (y & 63));
    mix((uint32_t)p >> (x & 31));
    mix(p >> (x & 31));
    mix((int16_t)(h * i));
    mix((int8_t)(c + d));
    mix(d != -1 ? c / d : 1);
    mix(a < b);
    mix((int64_t)a < (int64_t)b);
    mix(p <= q);
    mix(x > y);
    mix(h >= i);
    mix(c == d);
    mix(!a);
    mix(~b);
    mix((uint8_t)-c);
    mix(__builtin_popcountll(a));
    mix(__builtin_clzll(a | 1));
    mix(__builtin_ctz(x | 0x100));
    mix(__builtin_bswap32(x));
    mix(__builtin_bswap64(a));
    mix(__builtin_bswap16(h));
    mix(__builtin_bitreverse32(x));
    mix(__builtin_bitreverse8(c));
    mix(__builtin_rotateleft32(x, y));
    mix(__builtin_rotateright64(a, y));
    mix(__builtin_parity(x));
    mix(__builtin_ffs(p));
    int r;
    long long r2;
    unsigned u;

    mix(__builtin_add_overflow(p, q, &r));
    mix(r);
    mix(__builtin_mul_overflow(p, q, &r));
    mix(r);
    mix(__builtin_sub_overflow(x, y, &u));
    mix(u);
    mix(__builtin_mul_overflow((long long)a, (long long)b, &r2));
    mix(r2);
    mix(__builtin_elementwise_add_sat(p, q));
    mix(__builtin_elementwise_sub_sat(x, y));
    mix(__builtin_elementwise_max(p, q));
    mix(__builtin_elementwise_min(x, y));
    mix(__builtin_elementwise_abs(p | 1));
    struct bf l = g;
    l.a += s;
    l.b *= 3;
    l.c -= a;
    l.d ^= x;
    mix(l.a);
    mix(l.b);
    mix(l.c);
    mix(l.d);
    g = l;
    u24 m = g24 * (u24)x;
    mix((uint32_t)m);
    g24 = m + 1;
    i37 w = (i37)a;
    w = w * 3 - (i37)b;
    mix((uint64_t)(long long)w);
    mix(w < 0);
    mix(p < 0 ? -(unsigned)p : p);
    mix(x ? y : s);
    mix((a > b) + (x < y) * 2);
    switch (x & 15) {
    case 0:
      mix(1);
    case 1:
      mix(2);
      break;
    case 5:
      mix(3);
      break;
    case 9:
    case 10:
      mix(4);
      break;
    default:
      mix(5);
    }
    switch (p) {
    case -2147483647 - 1:
      mix(9);
      break;
    case 0x7fffffff:
      mix(8);
      break;
    case -1:
      mix(1);
      break;
    default:
      mix(6);
    }
  }
}
