//@ revisions: safe broken
//@[safe] verdict: safe
//@[broken] verdict: unsafe(assertion)
//@[broken] cflags: -DBROKEN
//@ cutoffs: needed
// An input stays in memory with what is known of it, while the thread goes on for ever. A state in which it is known to be small must not be taken for one in which it is not. BROKEN: it may be as large as 100.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int kept = 0;
  while (1) {
    int next = __VERIFIER_nondet_int();
#ifdef BROKEN
    if (next <= 100)
#else
    if (next < 100)
#endif
      kept = next;
    assert(kept < 100); //~[broken] assertion
  }
}
