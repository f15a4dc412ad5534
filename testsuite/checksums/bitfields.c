//@ verdict: safe
//@ executions: 1
//@ source: one thread; the checksum is that of clang's own code for the same program
//@ revisions: plain o1 o2 v3
//@ cflags: -fwrapv -Wno-everything
//@[plain] cflags: -DEXPECTED=1525166356u
//@[o1] cflags: -O1 -DEXPECTED=1525166356u
//@[o2] cflags: -O2 -DEXPECTED=1525166356u
//@[v3] cflags: -O3 -march=x86-64-v3 -DEXPECTED=1525166356u
// Packed bit-fields and integers of more than 128 bits, which are rows of words.
#include "checksum.h"
#pragma pack(1)
struct s {
  int a : 21;
  unsigned b : 31;
  long long c : 55;
  unsigned d : 9;
  int e : 26;
  long long f : 60;
  char g;
} x = {-5, 77, -123456789012LL, 300, -9, 1LL << 50, 3};
struct t {
  signed _BitInt(200) a;
} y;
static void test(int s) {
  struct s z = x;
  z.a += s;
  z.b ^= rnd();
  z.c -= rnd();
  z.d++;
  z.e *= 3;
  z.f >>= 1;
  z.g = s;
  mix(z.a);
  mix(z.b);
  mix(z.c);
  mix(z.d);
  mix(z.e);
  mix(z.f);
  mix(z.g);
  x = z;
  _BitInt(200) w = (int)rnd();
  w <<= 77;
  w ^= rnd();
  y.a ^= w >> 3;
  mix((long long)y.a);
  mix((unsigned)(y.a >> 100));
  unsigned _BitInt(300) u = (unsigned _BitInt(300))w;
  mix((unsigned)(u >> 250));
  mix(y.a == w);
  mix((_BitInt(150))w != 3);
}
