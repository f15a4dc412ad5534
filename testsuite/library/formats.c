//@ verdict: safe
//@ native: run
//@ revisions: m64 m32 fortified
//@[m32] cflags: -m32
//@[fortified] cflags: -O1 -D_FORTIFY_SOURCE=2
#define _GNU_SOURCE
#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[400];

static int is(const char *wanted, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = vsnprintf(text, sizeof text, format, list);
  va_end(list);
  return n == (int)strlen(wanted) && strcmp(text, wanted) == 0;
}

static void integers(void) {
  assert(is("42 -42 0", "%d %i %u", 42, -42, 0u));
  assert(is("[   42][42   ][00042][+42][ 42]", "[%5d][%-5d][%05d][%+d][% d]", 42, 42, 42, 42, 42));
  assert(is("ff FF 0xff 377 0377", "%x %X %#x %o %#o", 255, 255, 255, 255, 255));
  assert(is("-1 255 -1 65535", "%hhd %hhu %hd %hu", 255, -1, 65535, -1));
  assert(is("-9223372036854775808", "%lld", LLONG_MIN));
  assert(is("18446744073709551615", "%" PRIu64, UINT64_MAX));
  assert(is("-5 7 9", "%ld %zu %td", -5L, (size_t)7, (ptrdiff_t)9));
  assert(is("[00007][     ][  007]", "[%.5d][%5.0d][%5.3d]", 7, 0, 7));
  assert(is("[   7][7   ]", "[%*d][%-*d]", 4, 7, 4, 7));
}

static void reals(void) {
  assert(is("3.141593 3.14 3", "%f %.2f %.0f", 3.14159265, 3.14159265, 3.14159265));
  assert(is("0 2 2", "%.0f %.0f %.0f", 0.5, 1.5, 2.5));
  assert(is("1.500000e+10 1E-05", "%e %.0E", 1.5e10, 1e-5));
  assert(is("100000 1e+06 0.0001 1e-05 1.5", "%g %g %g %g %g", 1e5, 1e6, 1e-4, 1e-5, 1.5));
  assert(is("0x1.8p+1 0x0.0000000000001p-1022", "%a %a", 3.0, 5e-324));
  assert(is("inf -INF nan", "%f %F %g", 1e308 * 10, -1e308 * 10, __builtin_nan("")));
  assert(is("1.25 -0.5", "%Lg %.1Lf", 1.25L, -0.5L));
  assert(is("0.1000000000000000055511151231257827", "%.34f", 0.1));
}

static void texts(void) {
  int n = 0;
  assert(is("[  abc][abc  ][ab]", "[%5s][%-5s][%.2s]", "abc", "abc", "abc"));
  assert(is("x%y", "%c%%%c", 'x', 'y'));
  assert(is("(nil)", "%p", NULL));
  n = sprintf(text, "%s-%d", "abc", 12);
  assert(n == 6 && !strcmp(text, "abc-12"));
  assert(snprintf(text, 4, "%s", "abcdef") == 6 && !strcmp(text, "abc"));
  assert(snprintf(NULL, 0, "%d", 12345) == 5);
  char *made;
  assert(asprintf(&made, "<%d>", 7) == 3 && !strcmp(made, "<7>"));
  free(made);
}

/* More values than fit into registers, of all classes. */
static void many(void) {
  assert(is("1 1.5 2 2.5 3 3.5 4 4.5 5 5.5 6 6.5 7 7.5 8 8.5 9 9.5 L0.25 10",
            "%d %g %d %g %d %g %d %g %d %g %d %g %d %g %d %g %d %g L%Lg %lld", 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5,
            6, 6.5, 7, 7.5, 8, 8.5, 9, 9.5, 0.25L, 10LL));
}

int main(void) {
  integers();
  reals();
  texts();
  many();
  printf("%s %d\n", "done", 1);
  fprintf(stderr, "%c%c%c\n", 'e', 'r', 'r');
  fputs("text", stdout);
  putchar('\n');
  puts("line");
  fwrite("ab", 1, 2, stdout);
  fflush(stdout);
  return 0;
}
