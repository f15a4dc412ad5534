//@ verdict: unknown(a jump out of an atomic block is not modelled)
#include <setjmp.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int main(void) {
  jmp_buf buffer;
  if (!setjmp(buffer)) {
    __VERIFIER_atomic_begin();
    longjmp(buffer, 1);
  }
  __VERIFIER_atomic_end();
  return 0;
}
