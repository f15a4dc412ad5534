//@ revisions: held overwritten returned
//@[held] verdict: safe
//@[held] cflags: -DEND=exit(0)
//@[overwritten] verdict: safe
//@[overwritten] cflags: -DEND=(block=0,exit(0))
//@[returned] verdict: unsafe(leak)
//@[returned] cflags: -DEND=return
//@ executions: 1
//@ source: there is one thread
// The variable still exists when exit is called, but nobody will read it. Whether it was overwritten is not told apart: a block
// is not called lost if a function that has not returned had it. (For SV-COMP, where that counts, it is unknown.)
#include <stdlib.h>

static void keep(void) {
  int *block = malloc(sizeof *block); //~[returned] leak
  *block = 1;
  END;
}

int main(void) {
  keep();
  exit(0);
}
