//@ verdict: safe
//@ revisions: two three
//@[two] cflags: -DTHREADS=2 -DROUNDS=2
//@[three] cflags: -DTHREADS=3 -DROUNDS=1
//@ cutoffs: needed
// A lock on which threads spin longer and longer before they yield, as that of nginx: each turn changes a counter, so
// that no turn is left out. Without cutoffs a thread turns for ever, and executions have thousands of events of which
// few are new: engines that explore such executions must not get more time by default than the one that has cutoffs.
#include "../threads.h"
#include <assert.h>
#include <sched.h>
#include <stdatomic.h>
#define SPIN 512
static atomic_ulong lock;
static int used;

static void take(void) {
  for (;;) {
    unsigned long none = 0;
    if (atomic_load(&lock) == 0 && atomic_compare_exchange_strong(&lock, &none, 1)) return;
    for (unsigned n = 1; n < SPIN; n <<= 1) {
      for (unsigned i = 0; i < n; i++) __builtin_ia32_pause();
      none = 0;
      if (atomic_load(&lock) == 0 && atomic_compare_exchange_strong(&lock, &none, 1)) return;
    }
    sched_yield();
  }
}

static void *uses(void *arg) {
  for (int round = 0; round < ROUNDS; round++) {
    take();
    used++;
    assert(used == 1);
    used--;
    atomic_store(&lock, 0);
  }
  return arg;
}

int main(void) {
  run_copies(THREADS, uses);
  return 0;
}
