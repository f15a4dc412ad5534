//@ verdict: safe
//@ revisions: m64 m32 o1 o2
//@[m32] args: -m32
//@[o1] cflags: -O1
//@[o2] cflags: -O2
//@ native: run
#include <assert.h>
#include <stdarg.h>

static long sum(int n, ...) {
  va_list list, again;
  va_start(list, n);
  va_copy(again, list);
  long total = 0;
  for (int i = 0; i < n; i++)
    total += va_arg(list, int);
  for (int i = 0; i < n; i++)
    total += 100 * va_arg(again, int);
  va_end(again);
  va_end(list);
  return total;
}

struct pair { long a, b; };

static double mixed(int first, ...) {
  va_list list;
  va_start(list, first);
  double d = va_arg(list, double);
  long long l = va_arg(list, long long);
  const char *text = va_arg(list, const char *);
  struct pair p = va_arg(list, struct pair);
  va_end(list);
  return first + d + (double)l + text[1] + (double)(p.a - p.b);
}

int main(void) {
  assert(sum(3, 1, 2, 3) == 606);
  assert(sum(9, 1, 1, 1, 1, 1, 1, 1, 1, 1) == 909);
  assert(sum(0) == 0);
  struct pair p = {7, 3};
  assert(mixed(1, 0.5, 1LL << 40, "ab", p) == 1 + 0.5 + (double)(1LL << 40) + 'b' + 4);
  return 0;
}
