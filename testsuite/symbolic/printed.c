//@ revisions: safe broken shown
//@[safe] verdict: safe
//@[safe] executions: 11
//@[safe] source: derived: the sign, 1 to 5 digits, and whether the only one is a 0
//@[broken] verdict: unsafe(memory)
//@[broken] cflags: -DBROKEN
//@[shown] verdict: safe
//@[shown] executions: 1
//@[shown] source: derived: nobody asks how much was printed
//@[shown] cflags: -DSHOWN
// A number is printed into a buffer. BROKEN: which has no room for a sign.
#include <assert.h>
#include <stdio.h>
extern short __VERIFIER_nondet_short(void);

int main(void) {
  short x = __VERIFIER_nondet_short();
#ifdef SHOWN
  printf("%d and %5x\n", x, x);
#elif defined BROKEN
  char text[6];
  sprintf(text, "%d", x); //~[broken] memory
#else
  char text[7];
  int len = snprintf(text, sizeof text, "%d", x);
  assert(len >= 1 && len <= 6 && text[len] == 0);
  assert(text[len - 1] >= '0' && text[len - 1] <= '9');
  assert(text[0] != '0' || len == 1);
#endif
  return 0;
}
