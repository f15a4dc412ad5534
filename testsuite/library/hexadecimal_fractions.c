//@ verdict: safe
//@ native: run
//@ revisions: m64 m32
//@ cflags: -fno-builtin
//@[m32] cflags: -m32
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int is(const char *text, double value, size_t length, int error) {
  char *end;
  errno = 0;
  double found = strtod(text, &end);
  return memcmp(&found, &value, sizeof value) == 0 && end == text + length && errno == error;
}

static unsigned long long bits(const char *text, size_t length) {
  char *end;
  double found = strtod(text, &end);
  unsigned long long bits;
  memcpy(&bits, &found, sizeof bits);
  return end == text + length ? bits : 0;
}

int main(void) {
  assert(is("0x1.8p3", 12, 7, 0) && is("-0X.8P-1z", -0.25, 8, 0) && is(" 0x10", 16, 5, 0) && is("0x1p+", 1, 3, 0));
  assert(is("0x", 0, 1, 0) && is("-0x.p1", -0.0, 2, 0) && is("0x0p99999999999", 0, 15, 0));
  // Rounding to nearest, ties to even, once.
  assert(is("0x20000000000001", 9007199254740992.0, 16, 0) && is("0x20000000000003", 9007199254740996.0, 16, 0));
  assert(is("0x20000000000001.0000000000001", 9007199254740994.0, 30, 0));
  assert(is("0x1p-1074", 4.9406564584124654e-324, 9, 0) && is("0x1p-1075", 0, 9, ERANGE));
  assert(is("0x3p-1075", 9.8813129168249309e-324, 9, ERANGE) && is("0x1p1024", 1e308 * 10, 8, ERANGE));
  assert(strtof("0x1.000001p0", 0) == 1 && strtof("0x1.000003p0", 0) == 1 + 2.384185791015625e-7f);
  assert(bits("nan", 3) == 0x7ff8ull << 48 && bits("-NAN(0x12)!", 10) == (0xfff8ull << 48 | 18));
  assert(bits("nan(12", 3) == 0x7ff8ull << 48 && bits("nan(a_b)", 8) == 0x7ff8ull << 48);
  return 0;
}
