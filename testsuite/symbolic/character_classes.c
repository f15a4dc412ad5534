//@ revisions: macros functions broken
//@[macros] verdict: safe
//@[macros] executions: 1
//@[macros] source: derived: classes and letters are terms of the character, and what is asserted holds for all
//@[functions] verdict: safe
//@[functions] executions: 1
//@[functions] source: derived: as above
//@[functions] cflags: -D__NO_CTYPE
//@[broken] verdict: unsafe(assertion)
//@[broken] cflags: -DBROKEN
// The classes of characters, as macros of glibc read them from a table, and as functions. BROKEN: not each letter is a digit of a
// hexadecimal number.
#include <assert.h>
#include <ctype.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  int c = __VERIFIER_nondet_uchar();
  int upper = (c >= 'A') & (c <= 'Z'), lower = (c >= 'a') & (c <= 'z'), digit = (c >= '0') & (c <= '9');
  assert((isupper(c) != 0) == upper);
  assert((isalpha(c) != 0) == (upper | lower));
  assert((isalnum(c) != 0) == (upper | lower | digit));
  assert((isspace(c) != 0) == ((c == ' ') | ((c >= 9) & (c <= 13))));
  assert(toupper(c) == c - 32 * lower);
  assert(tolower(c) == c + 32 * upper);
#ifdef BROKEN
  assert((isxdigit(c) != 0) == (digit | upper | lower)); //~[broken] assertion
#endif
  return 0;
}
