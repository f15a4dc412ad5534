//@ revisions: small large
//@ args: --nondet 4
//@[small] verdict: safe
//@[small] cflags: -DBAD=7
//@[large] verdict: unsafe(assertion)
//@[large] cflags: -DBAD=6
//@ executions: 16
//@ source: two choices of 0, 1, 2, 3: sums reach 6
extern unsigned __VERIFIER_nondet_uint(void);
#include <assert.h>

int main(void) {
  unsigned sum = __VERIFIER_nondet_uint() + __VERIFIER_nondet_uint();
  assert(sum < BAD); //~[large] assertion
  return 0;
}
