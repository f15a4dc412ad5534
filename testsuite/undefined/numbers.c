//@ revisions: small near small32 near32 kept kept32
//@ verdict: unsafe(memory)
//@[small small32] cflags: -DNUMBER=(0xbad0)
//@[near near32] cflags: -DNUMBER=((uintptr_t)&there+4)
//@[kept kept32] cflags: -DNUMBER=(uintptr_t)&there
//@[small32 near32 kept32] args: -m32
//@[kept kept32] verdict: safe
//@[kept] native: run
// A pointer made from a number: of an object, or of none.
#include <stdint.h>

static int there;

int main(void) {
  int *pointer = (int *)(NUMBER);
  uintptr_t number = (uintptr_t)pointer;
  if (number != (NUMBER))
    return 1;
  return *(int *)number; //~[small near small32 near32] memory
}
