//@ revisions: polite rude
//@[polite] verdict: safe
//@[rude] verdict: unsafe(assertion)
//@[rude] cflags: -DRUDE
//@ orders: 2
// Both announce, then look: at most one enters. Looking first lets both in.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
static atomic_int flag[2];
static atomic_int entered;

static void *enter(void *arg) {
  long me = (long)arg;
#ifdef RUDE
  int free = flag[1 - me] == 0;
  flag[me] = 1;
#else
  flag[me] = 1;
  int free = flag[1 - me] == 0;
#endif
  if (free)
    entered++;
  return 0;
}

int main(void) {
  run_copies(2, enter);
  assert(entered <= 1); //~[rude] assertion
  return 0;
}
