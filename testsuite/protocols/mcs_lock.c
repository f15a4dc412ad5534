//@ revisions: right unset late
//@ verdict: safe
//@[unset] verdict: unsafe(assertion)
//@[unset] cflags: -DUNSET
//@[late] verdict: unsafe(livelock)
//@[late] cflags: -DLATE
//@ source: Mellor-Crummey and Scott, Algorithms for scalable synchronization, 1991
//@ orders: 2
//@ cutoffs: needed
// A queue of those who wait, each for a flag of its own. The flag must be up before the predecessor knows whom to call:
// raised late, it may be the call that is overwritten; never raised, nobody waits.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
struct node {
  struct node *_Atomic next;
  atomic_int waits;
};
static struct node nodes[2];
static struct node *_Atomic last;
static atomic_int inside;

static void lock(struct node *mine) {
  mine->next = 0;
  struct node *before = atomic_exchange(&last, mine);
  if (!before)
    return;
#if !defined LATE && !defined UNSET
  mine->waits = 1;
#endif
  before->next = mine;
#ifdef LATE
  mine->waits = 1;
#endif
  while (mine->waits) //~[late] livelock
    ;
}

static void unlock(struct node *mine) {
  struct node *expected = mine;
  if (!mine->next && atomic_compare_exchange_strong(&last, &expected, 0))
    return;
  struct node *after;
  while (!(after = mine->next))
    ;
  after->waits = 0;
}

static void *process(void *arg) {
  struct node *mine = &nodes[(long)arg];
  while (1) {
    lock(mine);
    assert(++inside == 1); //~[unset] assertion
    inside--;
    unlock(mine);
  }
}

int main(void) {
  run_copies(2, process);
  return 0;
}
