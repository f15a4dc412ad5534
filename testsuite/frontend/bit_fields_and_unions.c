//@ verdict: safe
//@ native: run
#include <assert.h>
struct flags {
  unsigned a : 3;
  int b : 5;
  unsigned long long c : 40;
  _Bool d : 1;
};

int main(void) {
  volatile struct flags f = {5, -7, 0x123456789aull, 1};
  assert(f.a == 5 && f.b == -7 && f.c == 0x123456789aull && f.d);
  f.a += 4;
  f.b--;
  f.c <<= 8;
  f.d = 0;
  assert(f.a == 1 && f.b == -8 && f.c == 0x3456789a00ull && !f.d);
  return 0;
}
