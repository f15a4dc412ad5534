//@ verdict: safe
//@ native: run
//@ revisions: m64 m32
//@ cflags: -fno-builtin -lm
//@[m32] cflags: -m32
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void conversions(void) {
  char *end;
  assert(atoi(" -12x") == -12 && atol("34") == 34 && atoll("-5000000000") == -5000000000LL);
  assert(strtol("0x1fz", &end, 0) == 31 && *end == 'z');
  assert(strtol("777", NULL, 8) == 511 && strtol("zz", NULL, 36) == 1295);
  assert(strtoul("-1", NULL, 10) == ULONG_MAX && errno == 0);
  assert(strtol("99999999999999999999", &end, 10) == LONG_MAX && errno == ERANGE && !*end);
  errno = 0;
  const char *none = "none";
  assert(strtoll(none, &end, 10) == 0 && end == none);
  assert(strtod("-1.5e3abc", &end) == -1500 && *end == 'a');
  assert(strtof("0.5", NULL) == 0.5f && atof("1e400") == HUGE_VAL);
  assert(isinf(strtod("-inf", NULL)) && isnan(strtod("nan", NULL)));
}

static void characters(void) {
  int letters = 0, spaces = 0, printable = 0, punctuation = 0;
  for (int c = -1; c < 256; c++) {
    letters += isalpha(c) != 0;
    spaces += isspace(c) != 0;
    printable += isprint(c) != 0;
    punctuation += ispunct(c) != 0;
  }
  assert(letters == 52 && spaces == 6 && printable == 95 && punctuation == 32);
  assert(toupper('a') == 'A' && tolower('Z') == 'z' && toupper('1') == '1');
  assert(isxdigit('f') && !isxdigit('g') && isblank('\t') && iscntrl(127));
}

static void mathematics(void) {
  int exponent;
  double whole;
  assert(sqrt(2.25) == 1.5 && fabs(-2.0) == 2 && floor(-1.5) == -2 && ceil(-1.5) == -1);
  assert(fmod(7.5, 2) == 1.5 && round(2.5) == 3 && rint(2.5) == 2 && trunc(-2.7) == -2);
  assert(pow(2, 10) == 1024 && exp(0) == 1 && log(1) == 0 && cos(0) == 1);
  assert(frexp(8, &exponent) == 0.5 && exponent == 4 && ldexp(0.75, 3) == 6);
  assert(modf(-2.75, &whole) == -0.75 && whole == -2);
  assert(fmax(1, 2) == 2 && fmin(1, 2) == 1 && hypot(3, 4) == 5 && atan2(0, 1) == 0);
  assert(sqrtf(4) == 2 && floorf(1.5f) == 1 && lround(2.5) == 3 && lrint(2.5) == 2);
  assert(abs(-3) == 3 && labs(-4) == 4 && llabs(-5) == 5);
  errno = 0;
  assert(isnan(sqrt(-1)) && errno == EDOM);
}

/* The sequence of glibc. */
static void randoms(void) {
  unsigned seed = 7;
  assert(rand() == 1804289383 && rand() == 846930886);
  srand(42);
  assert(rand() == 71876166);
  assert(rand_r(&seed) == 1187592820 && rand_r(&seed) == 153898277);
}

int main(void) {
  conversions();
  characters();
  mathematics();
  randoms();
  return 0;
}
