//@ verdict: safe
//@ slow: naive
//@ executions: 1
//@ source: bytes that lie side by side are different cells
//@ orders: 2
//@ native: run
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
static _Atomic char cell[4];

static void *writer(void *arg) {
  atomic_store(&cell[(long)arg], 1);
  return 0;
}

int main(void) {
  run_copies(4, writer);
  for (int i = 0; i < 4; i++)
    assert(atomic_load(&cell[i]) == 1);
  return 0;
}
