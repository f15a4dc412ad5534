// Values of a format by position, and wide characters.
//@ verdict: safe
//@ native: run
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

static char text[100];

#define CHECK(expected, ...) assert(sprintf(text, __VA_ARGS__) == sizeof expected - 1 && strcmp(text, expected) == 0)

static void list(const char *expected, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  assert(strcmp(text, expected) == 0);
}

int main(void) {
  CHECK("2 1", "%2$d %1$d", 1, 2);
  CHECK("two 1 two 3.00", "%2$s %1$d %2$s %3$.2f", 1, "two", 3.0);
  CHECK("    3|005    |-7   |", "%2$*1$d|%1$*3$.*2$d|%3$-*1$d|", 5, 3, -7);
  CHECK("1%2", "%1$d%%%2$d", 1, 2);
  CHECK("  042|42   |00042|+42|0x2a", "%1$5.3d|%1$-5d|%1$05d|%1$+d|%1$#x", 42);
  CHECK("1099511627776 c 2.500000 44", "%3$lld %1$c %2$Lf %4$hhd", 'c', 2.5L, 1LL << 40, 300);
  CHECK("w q", "%1$ls %2$lc", L"w", L'q');
  CHECK("abc|  abc|abc  |ab|    a|", "%ls|%5ls|%-5ls|%.2ls|%5.1ls|", L"abc", L"abc", L"abc", L"abc", L"abc");
  CHECK("x|  y|z  |", "%lc|%3lc|%-3lc|", L'x', L'y', L'z');
  CHECK("x|abc", "%C|%S", L'x', L"abc");
  CHECK("a", "%.1ls", L"a\u00e9b");
  wchar_t endless[2] = {L'a', L'b'};
  CHECK("ab", "%.2ls", endless);
  list("5 4 3 2.5 1 6 7 8", "%7$d %6$d %5$d %4$.1f %1$d %8$d %9$d %10$ld%2$s%3$s", 1, "", "", 2.5, 3, 4, 5, 6, 7, 8L);
}
