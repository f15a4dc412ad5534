//@ revisions: float size mixed exchange
//@[float] verdict: unknown(an operand of an instruction depends on inputs)
//@[float] cflags: -DFLOAT
//@[size] verdict: unknown(argument 1 of `malloc` depends on inputs)
//@[size] cflags: -DSIZE
//@[mixed] verdict: unknown(a value is made of inputs and of bits that were never written)
//@[mixed] cflags: -DMIXED
//@[exchange] verdict: unknown(a compare-exchange depends on inputs)
//@[exchange] cflags: -DEXCHANGE
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
#elif defined EXCHANGE
  atomic_uint cell = x;
  unsigned expected = 3;
  return atomic_compare_exchange_strong(&cell, &expected, 4);
#endif
  return 0;
}
