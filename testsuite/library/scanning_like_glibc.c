//@ verdict: safe
//@ native: run
//@ revisions: m64 m32 c99
//@[m32] cflags: -m32
//@[c99] cflags: -std=c99 -D_GNU_SOURCE
// What glibc's scanf does where the standard says something else, or nothing.
#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  int n = -1, end = -1;
  long long q;
  double d = -1;
  float f;
  char three[4] = "";
  void *p = &n;
  assert(sscanf("0xg", "%x%n", &n, &end) == 1 && n == 0 && end == 2);
  assert(sscanf("1e+", "%lf%n", &d, &end) == 1 && d == 1 && end == 3);
  assert(sscanf("ab", "%3c", three) == 1 && !strcmp(three, "ab"));
  assert(sscanf("5", "%*d%d", &n) == EOF && sscanf("5 x", "%*d%d", &n) == 0);
  assert(sscanf("(nil)", "%p", &p) == 1 && !p && sscanf("(nix", "%p", &p) == 0);
  assert(sscanf("99999999999999999999", "%lld", &q) == 1 && q == LLONG_MAX);
  assert(sscanf("-f", "%[f-a]", three) == 1 && !strcmp(three, "-f"));
  // Floating-point numbers in other forms; a word has to be complete.
  assert(sscanf("0x1.8p3 -inf", "%lf%f", &d, &f) == 2 && d == 12 && f < -1e38f);
  assert(sscanf("infinity", "%lf%n", &d, &end) == 1 && d > 1e308 && end == 8 && sscanf("infi", "%lf", &d) == 0);
  assert(sscanf("NaN(1)", "%lf%n", &d, &end) == 1 && d != d && end == 3);
  assert(sscanf("0x", "%lf", &d) == 0 && sscanf("0x.p1", "%lf%n", &d, &end) == 1 && d == 0 && end == 3);
  assert(sscanf("0x1", "%2lf%n", &d, &end) == 1 && d == 0 && end == 1);
  return 0;
}
