//@ revisions: stale fresh
//@[stale] verdict: unsafe(memory)
//@[stale] cflags: -DUSE=old
//@[fresh] verdict: safe
//@[fresh] cflags: -DUSE=new
//@[fresh] native: run
#include <stdlib.h>

int main(void) {
  int *old = malloc(2 * sizeof *old);
  old[0] = 1;
  old[1] = 2;
  int *new = realloc(old, 4 * sizeof *new);
  new[3] = 3;
  int sum = USE[0] + USE[1]; //~[stale] memory
  free(new);
  return sum == 3 ? 0 : 1;
}
