//@ revisions: fixed broken exactly never beyond freed
//@[fixed broken beyond freed] args: --symbolic-args 2x1
//@[exactly never] args: --symbolic-args 2-2x1
//@[fixed exactly] verdict: safe
//@[exactly] cflags: -DBROKEN
//@[broken] verdict: unsafe(memory)
//@[broken] cflags: -DBROKEN
//@[never] verdict: unsafe(assertion)
//@[never] cflags: -DNEVER
//@[beyond] verdict: unsafe(memory)
//@[beyond] cflags: -DBEYOND
//@[freed] verdict: unsafe(memory)
//@[freed] cflags: -DFREED
//@ assumes: bounded-arguments
// How many arguments there are is open, too. BROKEN looks into the second one without asking for it: that is a null pointer, unless
// there are `exactly` two. NEVER says that there are less. BEYOND reads behind the end of a string, and FREED frees one: no argument
// has a byte behind its zero, and none is a block of the heap.
#include <assert.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  assert(argc <= 3 && argv[0] && !argv[argc]);
#if defined BROKEN
  if (argc > 1)
    return argv[2][0] == 'x'; //~[broken] memory
#elif defined NEVER
  assert(argc < 3); //~[never] assertion
#elif defined BEYOND
  if (argc > 1)
    return argv[1][0] == 0 && argv[1][1] == 'x'; //~[beyond] memory
#elif defined FREED
  if (argc == 3 && argv[2][0] == 'f')
    free(argv[2]); //~[freed] memory
#else
  for (int i = 1; i < argc; i++)
    assert(argv[i][0] == 0 || argv[i][1] == 0);
#endif
  return 0;
}
