//@ revisions: float size mixed pointer
//@[float] verdict: unknown(an operand of an instruction depends on inputs)
//@[float] cflags: -DFLOAT
//@[size] verdict: unknown(argument 1 of `malloc` depends on inputs)
//@[size] cflags: -DSIZE
//@[mixed] verdict: unknown(a value is made of inputs and of bits that were never written)
//@[mixed] cflags: -DMIXED
//@[pointer] verdict: unknown(how far an atomic operation moves a pointer depends on inputs)
//@[pointer] cflags: -DPOINTER
// What is not done on symbolic data is unknown, and never a value of its own.
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
#if defined FLOAT
  return (double)x > 0.5;
#elif defined SIZE
  free(malloc(x));
#elif defined MIXED
  char bytes[8];
  unsigned long all;
  memcpy(bytes, &x, 4);
  memcpy(&all, bytes, 8);
  return all == 5;
#elif defined POINTER
  static char bytes[4];
  static char *_Atomic place = bytes;
  atomic_fetch_add(&place, x & 1);
#endif
  return 0;
}
