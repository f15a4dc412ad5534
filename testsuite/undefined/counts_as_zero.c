//@ revisions: error zero zero32 again wrong wrong32 written poison
//@[zero zero32 again wrong wrong32 written poison] args: --uninitialised zero
//@[error] args: --uninitialised error
//@[error] verdict: unsafe(uninitialised)
//@[zero zero32 again written] verdict: safe
//@[zero zero32 again] assumes: zero-uninitialised
//@[written] assumes-not: zero-uninitialised
//@[again] cflags: -DAGAIN
//@[wrong wrong32] verdict: unsafe(assertion)
//@[wrong wrong32] cflags: -DWRONG
//@[written] cflags: -DWRITTEN
//@[poison] cflags: -DPOISON
//@[poison] verdict: unknown(depends on a value that was never written)
//@[zero32 wrong32] args: -m32
// --uninitialised zero: a block, an array, a variable, a field of bits, and what an atomic operation and the library read. A variable
// of a block is 0 again in each turn. What an operation has not (poison) is no value that was never written.
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct bits {
  unsigned one : 3, two : 5;
};
static int no;

int main(void) {
#ifdef WRITTEN
  int variable = 0, *block = calloc(2, sizeof *block), array[3] = {0};
  struct bits bits = {0, 0};
#else
  int variable, *block = malloc(2 * sizeof *block), array[3];
  struct bits bits;
#endif
  bits.one = 5;
  int sum = variable == 0;
  if (variable == 0) //~[error] uninitialised
    sum = 2;
  sum += block[1] == 0;
  assert(array[2] == 0 && sum == 3);
  assert(bits.two == 0 && bits.one == 5);
  atomic_int *counter = malloc(sizeof *counter);
#ifdef WRITTEN
  *counter = 0;
#endif
  atomic_fetch_add(counter, 1);
  assert(*counter == 1);
  char *text = (char *)block;
  assert(strlen(text) == 0);
#ifdef AGAIN
  for (int i = 0; i < 3; i++) {
    int inner[2];
    int *seen = &inner[i & 1];
    assert(*seen == 0);
    *seen = 7;
  }
#endif
#ifdef WRONG
  assert(array[1] == 1); //~[wrong wrong32] assertion
#endif
#ifdef POISON
  if (__builtin_clz(no) == 7)
    return 1;
#endif
  free(block), free((void *)counter);
  return 0;
}
