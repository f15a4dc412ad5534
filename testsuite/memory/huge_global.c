//@ verdict: safe
// A variable of which one byte is looked at costs a page, and not its size. It is zero at the start.
#include <assert.h>

static char table[1L << 41];

int main(void) {
  assert(table[3] == 0);
  return 0;
}
