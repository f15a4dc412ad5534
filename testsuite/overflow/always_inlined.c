//@ verdict: unsafe(overflow)
//@ revisions: inlined small
//@[small] cflags: -DSMALL
//@ source: by hand: INT_MAX + 1
// Clang does not mark these as not to be optimised at -O0; they are checked as others are.
#include <limits.h>

#ifdef SMALL
__attribute__((minsize)) static int
#else
__attribute__((always_inline)) static inline int
#endif
next(int n) {
  return n + 1; //~ overflow
}

int main(void) {
  volatile int most = INT_MAX;
  return next(most) == 0;
}
