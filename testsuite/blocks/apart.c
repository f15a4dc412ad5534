//@ revisions: apart together whole pointer
//@ verdict: safe
//@[apart] executions: 1
//@[apart] source: blocks that touch nothing in common have no order
//@[together] cflags: -DTOGETHER
//@[together] executions: 6
//@[together] source: two blocks in each of two threads, on one variable: 4! / (2! 2!) orders
//@[whole] args: --footprints off
//@[whole] executions: 6
//@[whole] source: as together
//@[pointer] cflags: -DPOINTER
//@[pointer] executions: 1
//@[pointer] source: as apart; where a pointer leads is seen when it is used
//@ orders: 2
// Two threads, each of which goes through two atomic blocks.
#include "../threads.h"
#include <assert.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

static int count[2];
static int *where[2] = {&count[0], &count[1]};

static void *worker(void *arg) {
  long me = (long)arg;
  for (int i = 0; i < 2; i++) {
    __VERIFIER_atomic_begin();
#if defined TOGETHER
    count[0]++;
#elif defined POINTER
    ++*where[me];
#else
    count[me]++;
#endif
    __VERIFIER_atomic_end();
  }
  return 0;
}

int main(void) {
  run_copies(2, worker);
  assert(count[0] + count[1] == 4);
  return 0;
}
