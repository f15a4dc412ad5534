//@ verdict: safe
// Copying padding and unwritten bytes is no decision.
#include <string.h>
struct padded { char c; int i; int unused; };

int main(void) {
  struct padded a, b, c[2];
  a.c = 1;
  a.i = 2;
  b = a;
  memcpy(&c[1], &b, sizeof b);
  return c[1].c + c[1].i == 3 ? 0 : 1;
}
