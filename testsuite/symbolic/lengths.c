//@ revisions: safe call broken
//@[safe] verdict: safe
//@[safe] executions: 202
//@[safe] source: derived: lengths 0…200 are copied, and the greater ones are not
//@[call] verdict: safe
//@[call] executions: 202
//@[call] source: derived: as above
//@[call] cflags: -fno-builtin
//@[broken] verdict: unsafe(memory)
//@[broken] cflags: -DBROKEN
// A message says how long it is. Each length that fits is copied. (Few enough values are told apart one by one; these are too many
// for that.) BROKEN: nobody looks whether it fits.
#include <assert.h>
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned char message[256] = {0}, copy[200];
  unsigned len = message[0] = __VERIFIER_nondet_uchar();
#ifndef BROKEN
  if (len > sizeof copy)
    return 0;
#endif
  memset(copy, message[0], sizeof copy);
  memcpy(copy, message, len); //~[broken] memory
  if (len > 0)
    assert(copy[0] == len);
  else
    assert(copy[0] == 0);
  return 0;
}
