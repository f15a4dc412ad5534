//@ revisions: right forgets spurious
//@ verdict: safe
//@[right] native: run
//@[forgets] verdict: unsafe(deadlock)
//@[forgets] cflags: -DFORGETS
//@[spurious] args: --spurious-wakeups
//@[spurious] cutoffs: needed
// A lock: 0 free, 1 held, 2 held while others may wait. Whoever has waited takes it as 2, for there may be more.
#include "../threads.h"
#include "futex.h"
#include <assert.h>
static atomic_uint lock;
static int counter;

static void acquire(void) {
  unsigned seen = 0;
  if (atomic_compare_exchange_strong(&lock, &seen, 1))
    return;
  while (atomic_exchange(&lock, 2) != 0)
    futex_wait(&lock, 2); //~[forgets] deadlock
}

static void release(void) {
#ifdef FORGETS
  atomic_exchange(&lock, 0);
#else
  if (atomic_exchange(&lock, 0) == 2)
    futex_wake(&lock, 1);
#endif
}

static void *adds(void *arg) {
  acquire();
  counter++;
  release();
  return arg;
}

int main(void) {
  run_copies(2, adds);
  assert(counter == 2);
}
