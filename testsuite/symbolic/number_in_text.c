//@ revisions: safe broken
//@[safe] verdict: safe
//@[broken] verdict: unsafe(memory)
//@[broken] cflags: -DBROKEN
// A text of three characters is an index. BROKEN: that it is below the size is checked, and that it may be negative forgotten.
#include <stdlib.h>
extern char __VERIFIER_nondet_char(void);

static int table[50];

int main(void) {
  char text[4] = {0};
  for (int i = 0; i < 3; i++)
    text[i] = __VERIFIER_nondet_char();
  int n = atoi(text);
#ifdef BROKEN
  if (n < 50)
#else
  if (n >= 0 && n < 50)
#endif
    table[n] = 1; //~[broken] memory
  return 0;
}
