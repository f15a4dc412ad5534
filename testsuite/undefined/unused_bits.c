//@ revisions: flags forgotten
//@[flags] verdict: safe
//@[flags] cflags: -DSTEP=3
//@[flags] native: run
//@[forgotten] verdict: unsafe(uninitialised)
//@[forgotten] cflags: -DSTEP=3 -DFORGOTTEN
// The bits of a byte that no field uses are never written: they are as good as padding.
#include <stdatomic.h>

struct bits {
  unsigned char kind : 3, count : 3;
};
struct word {
  unsigned number;
  struct bits bits;
};
static _Atomic struct word shared;

int main(void) {
  struct word word;
  word.number = 7;
  word.bits.kind = 1;
#ifndef FORGOTTEN
  word.bits.count = 2;
#endif
  atomic_store(&shared, word);
  struct word seen = atomic_load(&shared);
  word.bits.count = 2;
  word.bits.kind = STEP;
  if (!atomic_compare_exchange_strong(&shared, &seen, word))
    return 1;
  if (seen.bits.count != 2) //~[forgotten] uninitialised
    return 2;
  seen = atomic_load(&shared);
  if (atomic_compare_exchange_strong(&shared, &seen, word) && seen.bits.kind == 3 && seen.bits.count == 2)
    return 0;
  return 3;
}
