//@ verdict: safe
//@ revisions: two three at_once2 at_once3
//@[two] cflags: -DTHREADS=2 -DROUNDS=2
//@[three] cflags: -DTHREADS=3 -DROUNDS=1
//@[at_once2] cflags: -DTHREADS=2 -DROUNDS=1 -DAT_ONCE
//@[at_once2] awaits: 2
//@[at_once3] cflags: -DTHREADS=3 -DROUNDS=1 -DAT_ONCE
//@[at_once3] awaits: 6
//@ cutoffs: needed
//@ source: n! orders of n sections, if a turn only tries to take the lock
// A lock on which threads spin longer and longer before they yield, as that of nginx: each turn changes a counter. Nobody
// looks at that, so a thread waits as if there were none.
#include "../threads.h"
#include <assert.h>
#include <sched.h>
#include <stdatomic.h>
#define SPIN 512
static atomic_ulong lock;
static int used;

static void take(void) {
#ifdef AT_ONCE
  unsigned long free = 0;
  for (unsigned n = 1; !atomic_compare_exchange_strong(&lock, &free, 1); free = 0) {
    for (unsigned i = 0; i < n; i++) __builtin_ia32_pause();
    n = n < SPIN ? 2 * n : n;
  }
  return;
#endif
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
