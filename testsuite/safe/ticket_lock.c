//@ verdict: safe
//@ revisions: fails waits
//@ executions: 2
//@[fails] args: --awaits on
//@[fails] pruned: 2
//@[waits] pruned: 0
//@ source: who draws first; the other looks after the first one has finished, or before and is cut, or waits
//@ orders: 2
// A ticket lock; waiting is cut short by an assumption, so executions that wait in vain are pruned.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
extern void __VERIFIER_assume(int);
static atomic_int next, serving;
static int counter;

static void *worker(void *arg) {
  int mine = atomic_fetch_add(&next, 1);
  __VERIFIER_assume(atomic_load(&serving) == mine);
  counter++;
  atomic_store(&serving, mine + 1);
  return 0;
}

int main(void) {
  run_copies(2, worker);
  assert(counter == 2);
  return 0;
}
