//@ verdict: safe
//@ executions: 1
//@ source: one thread; the checksum is that of clang's own code for the same program
//@ revisions: plain o1 o2 v3 m32 m32o2
//@ cflags: -fwrapv -Wno-everything
//@[plain] cflags: -DEXPECTED=1740337606u
//@[o1] cflags: -O1 -DEXPECTED=1740337606u
//@[o2] cflags: -O2 -DEXPECTED=1740337606u
//@[v3] cflags: -O3 -march=x86-64-v3 -DEXPECTED=1740337606u
//@[m32] cflags: -m32 -DEXPECTED=2536963512u
//@[m32o2] cflags: -m32 -O2 -DEXPECTED=2536963512u
// Loops that get vectorised, and the vector extensions.
#include "checksum.h"
typedef _Bool bm4 __attribute__((ext_vector_type(4)));
typedef int v4i __attribute__((vector_size(16)));
typedef unsigned char v16 __attribute__((vector_size(16)));
typedef long v2l __attribute__((vector_size(16)));
typedef float v8f __attribute__((vector_size(32)));
typedef short v8s __attribute__((vector_size(16)));
typedef int v8i __attribute__((vector_size(32)));
static int a[100], b[100];
static float fa[100];
static double da[64];
static unsigned char ca[128], cb[128];
static short sa[64];
static long la[40];
static unsigned ua[64];
static int dot(const int *restrict x, const int *restrict y, int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * y[i];
  return s;
}
static float fsum(const float *x, int n) {
  float s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] > 0 ? x[i] : -x[i];
  return s;
}
static void saxpy(float k, const float *restrict x, float *restrict y, int n) {
  for (int i = 0; i < n; i++)
    y[i] = k * x[i] + y[i];
}
static int mx(const int *x, int n) {
  int m = x[0];
  for (int i = 1; i < n; i++)
    m = x[i] > m ? x[i] : m;
  return m;
}
static unsigned mnu(const unsigned *x, int n) {
  unsigned m = x[0];
  for (int i = 1; i < n; i++)
    m = x[i] < m ? x[i] : m;
  return m;
}
static void cond(int *restrict x, const int *restrict y, int n) {
  for (int i = 0; i < n; i++)
    if (y[i] & 4)
      x[i] += y[i];
}
static void gath(int *restrict x, const int *restrict y, const unsigned char *restrict ix, int n) {
  for (int i = 0; i < n; i++)
    x[i] = y[ix[i] % 100] + 1;
}
static long cnt(const unsigned char *x, int n) {
  long c = 0;
  for (int i = 0; i < n; i++)
    c += x[i] == 7;
  return c;
}
static void rev(unsigned char *restrict d, const unsigned char *restrict s, int n) {
  for (int i = 0; i < n; i++)
    d[i] = s[n - 1 - i];
}
static void conv(double *restrict d, const int *restrict s, int n) {
  for (int i = 0; i < n; i++)
    d[i] = s[i] * 0.5;
}
static void narrow(short *restrict d, const int *restrict s, int n) {
  for (int i = 0; i < n; i++)
    d[i] = (short)(s[i] >> 3);
}
static void widen(long *restrict d, const short *restrict s, int n) {
  for (int i = 0; i < n; i++)
    d[i] = s[i] * 3L;
}
static void stride(int *restrict d, const int *restrict s, int n) {
  for (int i = 0; i < n; i++)
    d[i] = s[2 * i] + s[2 * i + 1];
}
static void sat(unsigned char *restrict d, const unsigned char *restrict s, int n) {
  for (int i = 0; i < n; i++) {
    int t = d[i] + s[i];
    d[i] = t > 255 ? 255 : t;
  }
}
static unsigned pop(const unsigned *x, int n) {
  unsigned s = 0;
  for (int i = 0; i < n; i++)
    s += __builtin_popcount(x[i]);
  return s;
}
static int anyz(const unsigned char *x, int n) {
  int r = 0;
  for (int i = 0; i < n; i++)
    r |= x[i] == 0;
  return r;
}
static int mat(int n) {
  int m[8][8], r = 0;
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++)
      m[i][j] = i * n + j;
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) {
      int t = 0;
      for (int k = 0; k < 8; k++)
        t += m[i][k] * m[k][j];
      r ^= t << (j & 3);
    }
  return r;
}
static void test(int s) {
  for (int i = 0; i < 100; i++) {
    a[i] = rnd() % 1000 - 500;
    b[i] = rnd() % 777;
    fa[i] = (int)(rnd() % 2000) / 8.0f - 100;
  }
  for (int i = 0; i < 128; i++) {
    ca[i] = rnd() % 9;
    cb[i] = rnd();
  }
  for (int i = 0; i < 64; i++) {
    sa[i] = rnd();
    ua[i] = rnd();
    da[i] = i;
  }
  int n = 61 + s;
  mix(dot(a, b, n));
  mix_float(fsum(fa, n));
  float fb[100];
  for (int i = 0; i < 100; i++)
    fb[i] = i;
  saxpy(1.5f, fa, fb, n);
  mix_float(fb[n - 1]);
  mix_float(fb[3]);
  mix(mx(a, n));
  mix(mnu(ua, 64));
  cond(a, b, n);
  mix(a[7] + a[60]);
  gath(a, b, cb, n);
  mix(a[5] * 3 + a[n - 1]);
  mix(cnt(ca, 128));
  unsigned char t[128];
  rev(t, cb, 128);
  mix(t[0] + t[127] * 256 + t[50]);
  conv(da, b, 64);
  mix_double(da[63] + da[2]);
  narrow(sa, a, 64);
  mix(sa[1] * sa[62]);
  widen(la, sa, 40);
  mix(la[39] + la[0]);
  stride(b, a, 40);
  mix(b[39] + b[1]);
  sat(ca, cb, 128);
  mix(ca[9] + ca[100] * 300);
  mix(pop(ua, 64));
  mix(anyz(ca, 128));
  mix(mat(s));
  v4i x = {s, 2, -3, 4}, y = {5, s + 1, 7, 8};
  v4i z = x * y + (x > y);
  mix(z[0] + z[1] * 3 + z[2] * 5 + z[3]);
  z = __builtin_shufflevector(x, y, 3, 4, 0, 6);
  mix(z[0] * 7 + z[1] + z[2] * 2 + z[3]);
  mix((x << 2)[1]);
  z = x & ~y;
  mix(z[s & 3]);
  z[s & 3] = 99;
  mix(z[0] ^ z[1] ^ z[2] ^ z[3]);
  v2l l = (v2l)z;
  mix(l[0]);
  mix(l[1]);
  v16 c = (v16)x;
  mix(c[s] + c[15]);
  c += 3;
  v8s h = (v8s)c;
  mix(h[2]);
  mix(__builtin_reduce_add(x));
  mix(__builtin_reduce_max(y));
  mix(__builtin_reduce_xor(x));
  v4i w = ((x > y) & x) | (~(x > y) & y);
  mix(w[2]);
  v8f f = {1, 2, 3, 4, 5, 6, 7, (float)s};
  f = f * f;
  mix_float(f[7] + f[0]);
  v8i fi = __builtin_convertvector(f, v8i);
  mix(fi[6] + fi[7]);
  bm4 bm = {1, 0, s & 1, 1};
  mix(bm[2] + bm[0]);

  v4i perm = {3, 1, s & 3, 0};
  mix(__builtin_elementwise_max(x, y)[s & 3]);
  mix(__builtin_elementwise_abs(x)[2]);
  (void)perm;
}
