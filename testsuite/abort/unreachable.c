//@ revisions: reached not_reached
//@ verdict: unsafe(abort)
//@[not_reached] verdict: safe
//@[not_reached] cflags: -DSIGN=-1
#ifndef SIGN
#define SIGN 0
#endif
static int sign(int x) {
  if (x > 0)
    return 1;
  if (x < 0)
    return -1;
  __builtin_unreachable(); //~[reached] abort
}

int main(void) {
  volatile int x = SIGN;
  return sign(x) + 1;
}
