//@ revisions: sign lost negative fits unsigned_
//@ cflags: -fsanitize=shift
//@ verdict: unsafe(overflow)
//@[sign] cflags: -DDO=(one<<31)
//@[lost] cflags: -DDO=(3*one<<31)
//@[negative] cflags: -DDO=(-one<<1)
//@[fits] cflags: -DDO=(one<<30)
//@[fits] verdict: safe
//@[unsigned_] cflags: -DDO=(-1u<<31)
//@[unsigned_] verdict: safe
//@ source: C17 6.5.7 paragraph 4: E1 * 2^E2 must be representable, and E1 not negative, if it is signed
// In the code a signed shift is like an unsigned one, so clang is asked to check the source.
int main(void) {
  volatile int one = 1;
  int result = DO; //~[sign lost negative] overflow
  return result == one * 12345;
}
