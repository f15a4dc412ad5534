//@ revisions: held addressed deep at_exit quick through_pointer overwritten returned
//@ args: --check leak
//@[held] verdict: safe
//@[held] cflags: -DEND=exit(0)
//@[addressed] verdict: safe
//@[addressed] cflags: -DEND=_Exit(0) -DWORD
//@[deep] verdict: safe
//@[deep] cflags: -DEND=deeper(3)
//@[at_exit] verdict: safe
//@[at_exit] cflags: -DEND=(atexit(nothing),exit(0))
//@[quick] verdict: safe
//@[quick] cflags: -DEND=quick_exit(0)
//@[through_pointer] verdict: safe
//@[through_pointer] cflags: -DEND=leave(0)
//@[overwritten] verdict: unsafe(leak)
//@[overwritten] cflags: -DEND=(block=0,exit(0))
//@[returned] verdict: unsafe(leak)
//@[returned] cflags: -DEND=return
//@ executions: 1
//@ source: there is one thread; what a variable holds when exit is called is not lost, though nobody reads it again
#include <stdlib.h>
#ifdef WORD
typedef unsigned long pointer;
#else
typedef int *pointer;
#endif
static void nothing(void) {}
static void (*leave)(int) = exit;
static void deeper(int n) {
  int *mine = malloc(sizeof *mine);
  *mine = n;
  if (*mine == 0)
    exit(0);
  deeper(n - 1);
}

static void keep(void) {
  pointer block = (pointer)malloc(sizeof(int)); //~[overwritten returned] leak
  END;
}

int main(void) {
  keep();
  (void)deeper, (void)nothing, (void)leave, exit(0);
}
