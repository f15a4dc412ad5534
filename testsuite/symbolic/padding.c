//@ revisions: moved read decided
//@[moved] verdict: safe
//@[read] verdict: unsafe(uninitialised)
//@[read] cflags: -DREAD
//@[decided] verdict: unknown(bits that were never written)
//@[decided] cflags: -DDECIDED
// A structure of 8 bytes is passed in a register: two of them are padding without a value, the others depend on an input. The padding
// moves with the rest. READ: a byte of it decides. DECIDED: the register decides as a whole.
#include <assert.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);

struct both {
  short low;
  unsigned value;
};

static struct both same(struct both b) {
  return b;
}

int main(void) {
  struct both b;
  b.value = __VERIFIER_nondet_uint();
  b.low = (short)b.value;
  struct both c = same(b);
  assert(c.low == (short)c.value);
#ifdef READ
  unsigned char byte;
  memcpy(&byte, (char *)&c + 2, 1);
  if (byte) //~[read] uninitialised
    return 1;
#endif
#ifdef DECIDED
  unsigned long whole;
  memcpy(&whole, &c, 8);
  if (whole == 5)
    return 1;
#endif
  return 0;
}
