//@ revisions: guaranteed guaranteed32 asked variable remainder
//@ verdict: safe
//@[guaranteed guaranteed32 asked] assumes-not: one-layout
//@[variable] assumes: one-layout
//@[remainder] verdict: unsafe(assertion)
//@[remainder] args: --layouts 8
//@[guaranteed32] args: -m32
//@[guaranteed guaranteed32] cflags: -DHOLDS=(bits(block)&15)==0&&bits(block)%16==0
//@[asked] cflags: -DHOLDS=(bits(aligned)&63)==0
//@[variable] cflags: -DHOLDS=(bits(buffer)&15)==(bits(buffer)%16)
//@[remainder] cflags: -DHOLDS=bits(block)%32==0
// malloc gives multiples of 16, aligned_alloc of what is asked for, and an array of characters may lie anywhere.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

static uintptr_t bits(void *address) { return (uintptr_t)address; }

int main(void) {
  char buffer[3] = "";
  void *block = malloc(24), *aligned = aligned_alloc(64, 64);
  assert(HOLDS); //~[remainder] assertion
  free(block);
  free(aligned);
  return buffer[0];
}
