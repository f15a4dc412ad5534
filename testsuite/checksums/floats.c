//@ verdict: safe
//@ executions: 1
//@ source: one thread; the checksum is that of clang's own code for the same program
//@ revisions: plain o1 o2 v3 m32 m32o2
//@ cflags: -fwrapv -fno-math-errno -ffp-contract=off -Wno-everything
//@[plain] cflags: -DEXPECTED=396936539u
//@[o1] cflags: -O1 -DEXPECTED=396936539u
//@[o2] cflags: -O2 -DEXPECTED=396936539u
//@[v3] cflags: -O3 -march=x86-64-v3 -DEXPECTED=396936539u
//@[m32] cflags: -m32 -msse2 -mfpmath=sse -DEXPECTED=396936539u
//@[m32o2] cflags: -m32 -O2 -msse2 -mfpmath=sse -DEXPECTED=396936539u
// Floating point: arithmetic, conversions, classification, long double, variadic calls.
#include "checksum.h"
struct fl {
  float a;
  double b;
};
static struct fl gf = {1.5f, -2.25};
static struct fl mk(float a, double b) {
  struct fl r = {a * 2, b / 3};
  return r;
}
static double vsum(int n, ...) {
  va_list ap, aq;
  va_start(ap, n);
  va_copy(aq, ap);
  double s = 0;
  for (int i = 0; i < n; i++)
    s += va_arg(ap, double) * va_arg(ap, int);
  s += va_arg(aq, double);
  va_end(ap);
  va_end(aq);
  return s;
}
typedef float v4 __attribute__((vector_size(16)));
static long double ldsum(int n, ...) {
  va_list ap;
  va_start(ap, n);
  long double s = 0;
  for (int i = 0; i < n; i++) {
    s += va_arg(ap, int);
    s += va_arg(ap, long double);
  }
  va_end(ap);
  return s;
}
static long double gl = 1.25L;
static long double ldm(long double a, long double b) { return a * b + 1; }
static void test(int s) {
  for (int k = 0; k < 20; k++) {
    double a = (int)rnd() / 1000.0, b = (int)rnd() / 77.0 + 0.5;
    float x = (int)rnd() / 3.0f, y = (float)rnd() + 0.25f;
    mix_double(a + b);
    mix_double(a - b);
    mix_double(a * b);
    mix_double(a / b);
    mix_float(x + y);
    mix_float(x * y);
    mix_float(x / y);
    mix_float(-x);
    mix_double(-a);
    mix_double((double)x);
    mix_float((float)a);
    mix(a < b);
    mix(a <= b);
    mix(a == b);
    mix(a != b);
    mix(!(a >= b));
    mix(x > y);
    mix(a != a);
    mix((int)(a / 1000));
    mix((int64_t)b);
    mix((uint32_t)(y / 4));
    mix((uint64_t)(double)y);
    mix_double((double)rnd());
    mix_double((double)(int)rnd());
    mix_float((float)(uint64_t)rnd() * 3);
    mix_double((double)((uint64_t)rnd() << 32 | rnd()));
    mix((unsigned char)(rnd() % 200 + 0.5));
    mix((short)(x / 1e6f));
    mix_double(__builtin_fabs(a));
    mix_double(__builtin_sqrt(b * b));
    mix_double(__builtin_floor(a));
    mix_double(__builtin_ceil(a));
    mix_double(__builtin_trunc(b));
    mix_double(__builtin_round(a));
    mix_double(__builtin_copysign(a, b));
    mix_double(__builtin_fmin(a, b));
    mix_double(__builtin_fmax(a, b));
    mix_float(__builtin_fabsf(x));
    mix_double(__builtin_rint(a));
    mix_double(__builtin_fma(a, b, 1.5));
    mix(__builtin_isnan(a));
    mix(__builtin_isinf(b));
    mix(__builtin_isfinite(a));
    mix(__builtin_signbit(a));
    mix(__builtin_isnormal(a));
    mix(__builtin_isinf(a / (rnd() & 1)));
    mix(__builtin_isnan((a - a) / (a - a)));
    struct fl r = mk(x, b);
    mix_float(r.a);
    mix_double(r.b);
    gf.a += r.a;
    gf.b -= r.b;
    mix_float(gf.a);
    mix_double(gf.b);
    mix_double(vsum(3, a, 1, b, 2, a * b, -3));
    mix_double((double)ldsum(2, 5, (long double)a, 6, (long double)b));
    long double l = a, m = b;
    l = l * m + gl;
    l -= 3;
    l /= 7;
    gl = l / 1e10L;
    mix_double((double)l);
    mix_float((float)m);
    mix((int64_t)(l / 1e6L));
    mix(l < m);
    mix(l != m);
    mix_double((double)ldm(l, m));
    mix_double((double)-l);
    mix_double((double)__builtin_fabsl(l));
    mix_double((double)((long double)rnd() / 3));
    mix((uint32_t)((long double)rnd() / 2));
    long double la[3] = {l, m, 2.5L};
    mix_double((double)la[rnd() % 3]);
    v4 v = {x, y, 1, 2};
    v = v * v + 1.0f;
    mix_float(v[rnd() & 3]);
    v[rnd() & 3] = 7;
    mix_float(v[0]);
    mix_float(v[3]);
  }
}
