//@ revisions: looked_for assertion both leak freed
//@[looked_for] verdict: unsafe(data-race)
//@[looked_for] cflags: -DWANTED=c
//@[assertion] verdict: unsafe(assertion)
//@[both] verdict: safe
//@[both] args: --check -data-race,-assertion
//@[assertion leak freed] args: --check -data-race
//@[assertion both] executions: 4
//@[assertion both] promoted: 1
//@[assertion both] source: as in lost_update.c
//@[leak freed] cflags: -DWANTED=c -DLEAK
//@[leak] verdict: unsafe(leak)
//@[freed] cflags: -DWANTED=c -DLEAK -DFREED
//@[freed] verdict: safe
//@ orders: 2
// A race that is not looked for is explored, and what else goes wrong is found in the same run.
#include "../threads.h"
#include <assert.h>
#include <stdlib.h>
#ifndef WANTED
#define WANTED 2
#endif
static int c;

static void *add(void *arg) {
  c++; //~[looked_for] data-race
  return 0;
}

int main(void) {
#ifdef LEAK
  char *lost = malloc(1); //~[leak] leak
#ifdef FREED
  free(lost);
#endif
  lost = 0;
#endif
  run_copies(2, add);
  assert(c == WANTED); //~[assertion] assertion
  return 0;
}
