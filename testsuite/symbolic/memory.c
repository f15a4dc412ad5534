//@ verdict: safe
// Terms go through memory: byte by byte, in a union, through memcpy and a structure that is passed by value, and come back as what
// they were.
#include <assert.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);

union view {
  unsigned whole;
  unsigned char byte[4];
  unsigned short half[2];
};

struct both {
  short low;
  unsigned value;
};

static struct both swap(struct both b) {
  struct both result = {(short)b.value, (unsigned)(unsigned short)b.low};
  return result;
}

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  union view v, w;
  v.whole = x;
  assert((v.byte[0] | v.byte[1] << 8) == (x & 0xffff));
  assert(v.half[1] == x >> 16);
  memcpy(&w, &v, sizeof v);
  unsigned char first = w.byte[0];
  w.byte[0] = w.byte[3];
  w.byte[3] = first;
  assert((w.whole & 0xff) == x >> 24 && w.whole >> 24 == (x & 0xff));
  assert((w.whole & 0xffff00) == (x & 0xffff00));
  struct both b = {(short)x, x};
  assert(swap(swap(b)).low == (short)x);
  unsigned array[4] = {0};
  array[x % 4] = x;
  assert(array[0] + array[1] + array[2] + array[3] == x);
  return 0;
}
