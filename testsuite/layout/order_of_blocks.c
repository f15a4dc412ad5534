//@ revisions: one one32 two two32 either
//@ verdict: safe
//@[two two32] verdict: unsafe(assertion)
//@[one one32] assumes: one-layout
//@[either] assumes: few-layouts
//@[either] assumes-not: one-layout
//@[one32] args: -m32
//@[two] args: --layouts 2
//@[two32] args: --layouts 2 -m32
//@[either] args: --layouts 3
//@[either] cflags: -DEITHER
// Which of two blocks lies above the other is up to the allocator.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  char *first = malloc(8), *second = malloc(8);
#ifdef EITHER
  assert(first < second || second < first);
#else
  assert(first < second); //~[two two32] assertion
#endif
  free(first);
  free(second);
}
