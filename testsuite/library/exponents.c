//@ verdict: safe
//@ native: run
//@ revisions: m64 m32
//@ cflags: -fno-builtin -lm
//@[m32] cflags: -m32
// Exponents and integral parts of all forms, and classes of long doubles. The values are those of the standard; what it
// leaves open (the exponent of what has none, errno) is what glibc has on x86.
#include <assert.h>
#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>

static void exponents(double number, int exponent) {
  volatile double d = number;
  volatile float f = number;
  errno = 0;
  assert(ilogb(d) == exponent && logb(d) == exponent && errno == 0);
  if (f == d)
    assert(ilogbf(f) == exponent && logbf(f) == exponent && errno == 0);
}

static void none(double number, int exponent, double logarithm) {
  volatile double d = number;
  volatile float f = number;
  errno = 0;
  assert(ilogb(d) == exponent && errno == EDOM);
  errno = 0;
  assert(ilogbf(f) == exponent && errno == EDOM);
  errno = 0;
  assert(isnan(logarithm) ? isnan(logb(d)) && isnan(logbf(f)) : logb(d) == logarithm && logbf(f) == logarithm);
  assert(errno == 0);
}

static void parts(void) {
  volatile float f = 0x1p-149f;
  int exponent;
  float whole;
  assert(frexpf(f, &exponent) == 0.5f && exponent == -148);
  f = -3.75f;
  assert(modff(f, &whole) == -0.75f && whole == -3);
  f = 2.5f;
  assert(lroundf(f) == 3 && lrintf(f) == 2 && llroundf(f) == 3 && llrintf(f) == 2);
}

static void scaled(void) {
  volatile float f = 0x1.8p-10f;
  errno = 0;
  assert(ldexpf(f, -139) == 0x1p-148f && ldexpf(f, -140) == 0x1p-149f && scalbnf(f, 3) == 0x1.8p-7f && errno == 0);
  assert(ldexpf(f, -141) == 0 && errno == ERANGE);
  errno = 0;
  assert(isinf(ldexpf(f, 200)) && errno == ERANGE);
}

static void classes(long double number, int class, int is_negative) {
  volatile long double l = number;
  assert(fpclassify(l) == class && !!signbit(l) == is_negative);
  assert(!!isnan(l) == (class == FP_NAN) && !!isinf(l) == (class == FP_INFINITE));
  assert(!!isfinite(l) == (class != FP_NAN && class != FP_INFINITE) && !!isnormal(l) == (class == FP_NORMAL));
}

int main(void) {
  exponents(1, 0);
  exponents(-3.5, 1);
  exponents(0x1p-1074, -1074);
  exponents(0x1.8p-1030, -1030);
  exponents(DBL_MAX, 1023);
  exponents(FLT_MIN / 4, -128);
  none(0, INT_MIN, -INFINITY);
  none(-0.0, INT_MIN, -INFINITY);
  none(INFINITY, INT_MAX, INFINITY);
  none(-INFINITY, INT_MAX, INFINITY);
  none(NAN, INT_MIN, NAN);
  parts();
  scaled();
  classes(0, FP_ZERO, 0);
  classes(-0.0L, FP_ZERO, 1);
  classes(0x1p-16440L, FP_SUBNORMAL, 0);
  classes(-0x1p-16445L, FP_SUBNORMAL, 1);
  classes(LDBL_MIN, FP_NORMAL, 0);
  classes(0x1p-1074L, FP_NORMAL, 0);
  classes(-LDBL_MAX, FP_NORMAL, 1);
  classes(INFINITY, FP_INFINITE, 0);
  classes(-INFINITY, FP_INFINITE, 1);
  classes(NAN, FP_NAN, 0);
  return 0;
}
