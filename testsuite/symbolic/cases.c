//@ revisions: safe broken
//@[safe] verdict: safe
//@[safe] executions: 6
//@[safe] source: derived: five places and the default, whichever of its cases leads to a place
//@[broken] verdict: unsafe(assertion)
//@[broken] cflags: -DBROKEN
// A switch over many cases, of which few lead to different places. BROKEN: what is said to be a digit in base 16 may
// be a letter after f.
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned char c = __VERIFIER_nondet_uchar();
  unsigned digit = 0;
  switch (c) {
  case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9':
    digit = c - '0';
    break;
#ifdef BROKEN
  case 'g':
#endif
  case 'a': case 'b': case 'c': case 'd': case 'e': case 'f':
    digit = c - 'a' + 10;
    break;
  case 'A': case 'B': case 'C': case 'D': case 'E': case 'F':
    digit = c - 'A' + 10;
    break;
  case 'x': case 'X':
    digit = 15;
    break;
  case '+': case '-':
    break;
  default:
    return 1;
  }
  assert(digit < 16); //~[broken] assertion
  return 0;
}
