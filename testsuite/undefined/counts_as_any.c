//@ revisions: error any any32 some some32 never same twice none off
//@[any any32 some some32 never same twice none off] args: --uninitialised any
//@[error] args: --uninitialised error
//@[error] verdict: unsafe(uninitialised)
//@[any any32 same] verdict: safe
//@[some some32] verdict: unsafe(assertion)
//@[some some32] cflags: -DSOME
//@[never] verdict: safe
//@[never] cflags: -DNEVER
//@[same] cflags: -DSAME
//@[twice] verdict: unsafe(assertion)
//@[twice] cflags: -DTWICE
//@[none] verdict: safe
//@[none] cflags: -DWRITTEN
//@[off] verdict: unknown(a value that was never written)
//@[off] args: --symbolic off
//@[any32 some32] args: -m32
// --uninitialised any: what was never written is an input. Of a local variable it is one value for all of its life; each load of an
// array is one of its own.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *block = malloc(2 * sizeof *block);
#ifdef WRITTEN
  unsigned variable = 3;
  block[0] = block[1] = 3;
#else
  unsigned variable;
  block[0] = 3;
#endif
  int small = 0;
  if (variable < 100) //~[error] uninitialised
    small = 1;
#ifdef SOME
  assert(variable != 77); //~[some some32] assertion
#endif
#ifdef NEVER
  // Whatever it is, twice that is even.
  assert(2u * block[1] % 2 == 0);
#endif
#ifdef SAME
  assert(!small || variable <= 99);
#endif
#ifdef TWICE
  if (block[1] == 5)
    assert(block[1] == 5); //~[twice] assertion
#endif
  free(block);
  return 0;
}
