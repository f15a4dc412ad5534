// A generator whose state is the caller's: the very sequence of glibc.
#include "library.h"

// What comes of it depends on that sequence.
void __verify_random(void);

int rand_r(unsigned *seed) {
  unsigned next = *seed * 1103515245 + 12345;
  unsigned result = next >> 16 & 2047;
  next = next * 1103515245 + 12345;
  result = result << 10 ^ (next >> 16 & 1023);
  next = next * 1103515245 + 12345;
  result = result << 10 ^ (next >> 16 & 1023);
  *seed = next;
  __verify_random();
  return (int)result;
}
