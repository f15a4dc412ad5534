//@ revisions: safe broken
//@[safe] verdict: safe
//@[safe] executions: 3
//@[safe] source: derived: memcmp reads all bytes whatever they are, so its result is one term: equal, less, greater
//@[broken] verdict: unsafe(assertion)
//@[broken] cflags: -DBROKEN
// Sixteen bytes are compared at once: nothing is decided in between. BROKEN: the order of bytes is not that of words.
#include <assert.h>
#include <string.h>
extern void klee_make_symbolic(void *, size_t, const char *);

int main(void) {
  unsigned char key[16], other[16] = "0123456789abcdef";
  klee_make_symbolic(key, sizeof key, "key");
  int order = memcmp(key, other, sizeof key);
#ifdef BROKEN
  unsigned first;
  memcpy(&first, key, sizeof first);
  if (order < 0)
    assert(first <= 0x33323130); //~[broken] assertion
#else
  if (order == 0)
    assert(key[15] == 'f');
  else if (order < 0)
    assert(key[0] <= '0');
  else
    assert(key[0] >= '0');
#endif
  return 0;
}
