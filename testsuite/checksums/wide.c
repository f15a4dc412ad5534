//@ verdict: safe
//@ executions: 1
//@ source: one thread; the checksum is that of clang's own code for the same program
//@ revisions: plain o1 o2 v3
//@ cflags: -fwrapv -Wno-everything
//@[plain] cflags: -DEXPECTED=207006534u
//@[o1] cflags: -O1 -DEXPECTED=207006534u
//@[o2] cflags: -O2 -DEXPECTED=207006534u
//@[v3] cflags: -O3 -march=x86-64-v3 -DEXPECTED=207006534u
// Integers of 65 to 128 bits.
#include "checksum.h"
typedef unsigned __int128 u128;
typedef __int128 i128;
typedef _BitInt(100) i100;
typedef unsigned _BitInt(77) u77;
static void mixw(u128 x) {
  mix((uint64_t)x);
  mix((uint64_t)(x >> 64));
}
i128 glob = ((i128)0x1234567890abcdefLL << 64) - 99;
u128 arr[3] = {1, ((u128)7 << 100), ~(u128)0};
i100 g100 = -12345678901234567LL;
static i128 pass(i128 a, int n, u128 b) { return n ? pass(b, n - 1, a) * 3 : a - b; }
struct w {
  char c;
  i128 v;
};

static struct w mk(i128 v) {
  struct w r = {5, v};
  return r;
}
static void test(int s) {
  for (int k = 0; k < 20; k++) {
    u128 a = ((u128)rnd() << 96) | ((u128)rnd() << 64) | ((u128)rnd() << 32) | rnd();
    u128 b = (((u128)rnd() << 90) ^ rnd()) >> (rnd() & 127);
    i128 c = (i128)a, d = (i128)b | 1;
    mixw(a + b);
    mixw(a - b);
    mixw(a * b);
    mixw(b ? a / b : 5);
    mixw(b ? a % b : 5);
    mixw(c / d);
    mixw(c % d);
    mixw(a << (b & 127));
    mixw(a >> (b & 127));
    mixw(c >> (b & 127));
    mixw(a & b);
    mixw(a | b);
    mixw(a ^ b);
    mixw(~a);
    mix(a < b);
    mix(c < d);
    mix(a == b);
    mix(c >= d);
    mix(a > b);
    mixw((u128)(uint32_t)a);
    mixw((i128)(int32_t)rnd());
    mixw((i128)(int64_t)rnd() - 7);
    mix((int)a);
    mix((uint8_t)(a >> 100));
    mix_double((double)c);
    mix_double((double)b);
    mix_float((float)a);
    mixw((u128)(double)rnd());
    mixw((i128) - (double)rnd());
    mixw((u128)((double)rnd() * 1e25));
    i128 r;
    mix(__builtin_add_overflow(c, d, &r));
    mixw(r);
    mix(__builtin_mul_overflow(c, d, &r));
    mixw(r);
    u128 u;
    mix(__builtin_sub_overflow(a, b, &u));
    mixw(u);
    mixw(pass(c, s, b));
    mixw(mk(c).v);
    glob = glob * 5 + c;
    mixw(glob);
    arr[k % 3] += a;
    mixw(arr[(k + 1) % 3]);
    mixw(a > b ? a : b);
    i100 e = (i100)c;
    e = e * 7 + (i100)d;
    g100 ^= e;
    mixw((u128)(i128)g100);
    u77 f = (u77)a;
    f = f + (u77)b;
    mixw(f);
    mix(f > (u77)d);
    switch ((int)(a & 3)) {
    case 0:
      mixw(a / 10);
      break;
    case 1:
      mixw(c % 1000);
      break;
    default:
      mixw(a * 1000003);
    }
    mix(__builtin_popcountll(a >> 64));
    mixw(__builtin_elementwise_max(c, d));
    mixw(__builtin_elementwise_add_sat(c, d));
    mixw(__builtin_elementwise_sub_sat(c, d));
    mixw(__builtin_elementwise_add_sat(a, b));
    mixw(__builtin_elementwise_sub_sat(a, b));
  }
}
