//@ revisions: middle stack global null
//@[middle stack global] verdict: unsafe(memory)
//@[middle] cflags: -DWHAT=(p+1)
//@[stack] cflags: -DWHAT=(&local)
//@[global] cflags: -DWHAT=(&global)
//@[null] verdict: safe
//@[null] cflags: -DWHAT=0
#include <stdlib.h>
static int global;

int main(void) {
  int local = 0, *p = malloc(2 * sizeof *p);
  free(WHAT); //~[middle stack global] memory
  free(p);
  return local + global;
}
