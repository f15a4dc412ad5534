//@ verdict: safe
//@ revisions: fails waits
//@ executions: 1
//@[fails] args: --awaits on
//@[fails] pruned: 1
//@[waits] pruned: 0
//@ source: the read comes before or after the write; before, the assumption fails, or the thread waits
//@ orders: 2
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
extern void __VERIFIER_assume(int);
static atomic_int flag;

static void *setter(void *arg) {
  flag = 1;
  return 0;
}

static void *getter(void *arg) {
  int seen = flag;
  __VERIFIER_assume(seen);
  assert(seen == 1);
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){setter, getter});
  return 0;
}
