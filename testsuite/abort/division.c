//@ revisions: zero one
//@[zero] verdict: unsafe(overflow)
//@[zero] cflags: -DDIVISOR=0
//@[one] verdict: safe
//@[one] cflags: -DDIVISOR=1
int main(void) {
  volatile int divisor = DIVISOR;
  return 7 / divisor == 7 ? 0 : 1; //~[zero] overflow
}
