//@ revisions: safe overflow division index shift
//@[safe] verdict: safe
//@[overflow] verdict: unsafe(overflow)
//@[overflow] cflags: -DOVERFLOW
//@[division] verdict: unsafe(overflow)
//@[division] cflags: -DDIVISION
//@[index] verdict: unsafe(memory)
//@[index] cflags: -DINDEX
//@[shift] verdict: unsafe(overflow)
//@[shift] cflags: -DSHIFT
// What is wrong for exactly one of 2^32 values.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static int table[16];

int main(void) {
  int x = __VERIFIER_nondet_int();
  int next = 0, share = 0;
#ifdef OVERFLOW
  next = x + 1; //~[overflow] overflow
#else
  if (x < 2147483647)
    next = x + 1;
#endif
#ifdef DIVISION
  share = 1000 / (x ^ 123456789); //~[division] overflow
#else
  if (x != 123456789)
    share = 1000 / (x ^ 123456789);
#endif
  unsigned index = x == -77 ? 16 : (unsigned)x & 15;
#ifdef INDEX
  table[index] = 1; //~[index] memory
#else
  if (index < 16)
    table[index] = 1;
#endif
#ifdef SHIFT
  unsigned count = (unsigned)x * 3 == 32 ? 32 : 4;
  next = (int)(1u << count) + share * 0; //~[shift] overflow
#endif
  assert(next == 0 || (unsigned)next == (unsigned)x + 1 || next == 16);
  return 0;
}
