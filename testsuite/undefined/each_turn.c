//@ revisions: again again32 written pointer any zero wrong_zero
//@[again again32 pointer] verdict: unsafe(uninitialised)
//@[again32] args: -m32
//@[written] cflags: -DWRITTEN
//@[written any zero] verdict: safe
//@[written] native: run
//@[pointer] cflags: -DPOINTER
//@[any] args: --uninitialised any
//@[any] cflags: -DIN_RANGE
//@[zero wrong_zero] args: --uninitialised zero
//@[zero] cflags: -DZERO
//@[wrong_zero] verdict: unsafe(assertion)
// A variable of a block has its life in each turn of the loop anew: what it held in the turn before is gone. C17 6.2.4 paragraph 6.
#include <assert.h>

int main(void) {
  for (int i = 0; i < 2; i++) {
    int x;
#ifdef WRITTEN
    x = 5;
#endif
#ifdef POINTER
    int *volatile there = &x;
    (void)there;
#endif
    if (i == 1) {
#ifdef IN_RANGE
      int y = x;
      assert(y == x);
#elif defined ZERO
      assert(x == 0);
#else
      assert(x == 5); //~[again again32 pointer] uninitialised //~[wrong_zero] assertion
#endif
    }
    x = 5;
  }
  return 0;
}
