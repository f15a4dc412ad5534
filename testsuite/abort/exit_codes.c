//@ revisions: zero three quick immediate
//@ verdict: safe
//@[zero] cflags: -DEND=exit(0)
//@[three] cflags: -DEND=exit(3)
//@[quick] cflags: -DEND=quick_exit(1)
//@[immediate] cflags: -DEND=_Exit(2)
//@ executions: 1
//@ source: one thread
// However a process ends by itself, that is no violation.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  END;
  assert(0);
  return 0;
}
