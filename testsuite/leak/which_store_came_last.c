//@ revisions: lost kept
//@ verdict: unsafe(leak)
//@[kept] verdict: safe
//@[kept] cflags: -DKEEP
//@ executions: 2
//@ source: two threads store to the same place with one action each; the loads of `kept` behind the joins are plain
//@ orders: 2
// The block that is stored first is lost, whichever that is; exchanging hands it to the one who comes second.
#include "../threads.h"
#include <stdatomic.h>
#include <stdlib.h>
static _Atomic(int *) kept;

static void *worker(void *arg) {
  int *block = malloc(sizeof *block); //~[lost] leak
  *block = (int)(long)arg;
#ifdef KEEP
  free(atomic_exchange(&kept, block));
#else
  atomic_store(&kept, block);
#endif
  return 0;
}

int main(void) {
  run_copies(2, worker);
  return 0;
}
