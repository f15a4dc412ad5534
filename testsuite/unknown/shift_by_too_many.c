//@ verdict: unknown(a value of 32 bits is shifted by 33)
//@ args: --check assertion
// Undefined, and not asked for: nobody can say what comes out.
#include <assert.h>

int main(void) {
  volatile int count = 33;
  assert(1u << count != 2);
}
