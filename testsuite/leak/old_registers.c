//@ revisions: held overwritten returned
//@[held] verdict: unknown(has not returned still leads to)
//@[held] cflags: -DEND=exit(0)
//@[overwritten] verdict: unknown(has not returned still leads to)
//@[overwritten] cflags: -DEND=(block=0,exit(0))
//@[returned] verdict: unsafe(leak)
//@[returned] cflags: -DEND=return
//@ executions: 1
//@ source: there is one thread
// The variable still exists when exit is called, but nobody will read it, and whether it was overwritten nobody knows.
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
