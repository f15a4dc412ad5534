// With clang's own checks of undefined behaviour, calls through pointers are checked by reading what is in front of the code.
// C17 6.5.2.2p9: a call with the type of the function is right; 6.5p5: the sum in the other revision is not.
//@ revisions: right wrong
//@ cflags: -fsanitize=undefined
//@[wrong] cflags: -DWRONG
//@[right] verdict: safe
//@[wrong] verdict: unsafe(overflow)
#include <limits.h>

static int add(int a, int b) {
  return a + b; //~[wrong] overflow
}

int main(void) {
  int (*volatile function)(int, int) = add;
#ifdef WRONG
  return function(INT_MAX, 1) == 0;
#else
  return function(1, -1);
#endif
}
