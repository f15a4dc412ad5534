//@ revisions: block local padding byte bits copied block32 padding32 byte32 bits32 kept kept32
//@ verdict: unsafe(uninitialised)
//@[block block32] cflags: -DBLOCK
//@[local] cflags: -DLOCAL
//@[padding padding32] cflags: -DPADDING
//@[byte byte32] cflags: -DBYTE
//@[bits bits32] cflags: -DBITS
//@[copied] cflags: -DCOPIED
//@[block32 padding32 byte32 bits32 kept32] args: -m32
//@[kept kept32] verdict: safe
//@[kept] native: run
// What was never written, byte by byte, and bit by bit in fields of bits; what lies beside it has its value.
#include <stdlib.h>
#include <string.h>

struct padded {
  char character;
  int number;
};
struct bits {
  unsigned one : 3, two : 5, three : 12;
};

int main(void) {
  int *block = malloc(2 * sizeof *block);
  int local[2];
  struct padded padded;
  struct bits bits;
  unsigned char bytes[4];
  block[0] = local[0] = 1;
  padded.character = 1, padded.number = 1;
  bits.one = 1, bits.three = 1;
  bytes[1] = 1, bytes[2] = 1;
  int wrong = block[0] != 1 || local[0] != 1 || padded.number != 1 || bits.one != 1 || bits.three != 1;
  unsigned char copy[sizeof padded];
  memcpy(copy, &padded, sizeof padded);
  wrong |= copy[0] != 1;
  unsigned short half;
  memcpy(&half, bytes + 1, 2);
  wrong |= half != 0x101;
#ifdef BLOCK
  if (block[1] == 1) //~[block block32] uninitialised
    wrong = 1;
#endif
#ifdef LOCAL
  if (local[1] == 1) //~[local] uninitialised
    wrong = 1;
#endif
#ifdef PADDING
  if (copy[1] == 1) //~[padding padding32] uninitialised
    wrong = 1;
#endif
#ifdef BYTE
  memcpy(&half, bytes, 2);
  if (half == 0x101) //~[byte byte32] uninitialised
    wrong = 1;
#endif
#ifdef BITS
  if (bits.two == 1) //~[bits bits32] uninitialised
    wrong = 1;
#endif
#ifdef COPIED
  int other[2];
  memcpy(other, local, sizeof other);
  if (other[1] == 1) //~[copied] uninitialised
    wrong = 1;
#endif
  free(block);
  return wrong;
}
