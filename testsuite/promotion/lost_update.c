//@ revisions: any both all
//@ verdict: safe
//@ args: --check assertion
//@[all] args: --check assertion --interference all
//@[both] verdict: unsafe(assertion)
//@[both] cflags: -DWANTED=2
//@ executions: 4
//@ promoted: 1
//@ source: R1 W1 beside R2 W2 on one cell: one after the other (2), or both reads first and then either write (2)
//@ orders: 2
// Two threads add one: a read and a write each, between which the other may come.
#include "../threads.h"
#include <assert.h>
#ifndef WANTED
#define WANTED 1
#endif
static int c;

static void *add(void *arg) {
  c++;
  return 0;
}

int main(void) {
  run_copies(2, add);
  assert(WANTED <= c && c <= 2); //~[both] assertion
  return 0;
}
