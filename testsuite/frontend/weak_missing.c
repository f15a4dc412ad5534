// The addresses of weak symbols that nothing defines are null, those of weak symbols that the program or the library
// defines are not. In the other revision a missing variable is read.
//@ revisions: asked m32 read
//@[m32] args: -m32
//@[read] cflags: -DREAD
//@[asked] verdict: safe
//@[m32] verdict: safe
//@[read] verdict: unsafe(memory)
//@[asked] assumes: weak-is-null
//@[asked] native: run
#include <assert.h>
#include <stdlib.h>

extern int missing(int) __attribute__((weak));
extern int variable __attribute__((weak));
extern int table[4] __attribute__((weak));
extern int here(int) __attribute__((weak));
extern int filled __attribute__((weak));
extern int rand(void) __attribute__((weak));

int here(int x) { return x + 1; }
int filled = 3;
static int (*const function)(int) = missing;
static int *const address = &variable;
static int *const element = &table[1];

int main(void) {
  assert(!missing && !&variable && !table);
  assert(function == 0 && address == 0 && element == (int *)sizeof(int));
  assert(here && here(1) == 2);
  assert(&filled && filled == 3);
  assert(rand);
  if (missing)
    return missing(1);
#ifdef READ
  return *address; //~[read] memory
#endif
}
