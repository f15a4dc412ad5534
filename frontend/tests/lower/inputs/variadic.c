#include <stdarg.h>
struct pair {
  long a, b;
};
int sum(int n, ...) {
  va_list list, copy;
  va_start(list, n);
  va_copy(copy, list);
  int total = va_arg(list, int) + va_arg(copy, int);
  va_end(copy);
  va_end(list);
  return total;
}
int call(struct pair p, float f, long double l) {
  return sum(3, p, f, 'c', l);
}
int main(void) {
  return 0;
}
