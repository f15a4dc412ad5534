//@ verdict: unsafe(assertion)
//@ executions: 4
//@ source: two choices of two values
extern _Bool __VERIFIER_nondet_bool(void);
#include <assert.h>

int main(void) {
  int first = __VERIFIER_nondet_bool(), second = __VERIFIER_nondet_bool();
  assert(!(first && !second)); //~ assertion
  return 0;
}
