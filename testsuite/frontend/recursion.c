//@ verdict: safe
//@ native: run
#include <assert.h>
static int odd(int n);

static int even(int n) {
  return n == 0 ? 1 : odd(n - 1);
}

static int odd(int n) {
  return n == 0 ? 0 : even(n - 1);
}

static unsigned ackermann(unsigned m, unsigned n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

int main(void) {
  assert(even(100) && !odd(100) && ackermann(2, 3) == 9);
  return 0;
}
