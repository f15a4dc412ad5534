//@ revisions: plain plain_fresh tags hazards hazards_all epochs epochs_all
//@[plain] verdict: unsafe(assertion)
//@[plain_fresh] args: --reuse off
//@[plain_fresh hazards] assumes: fresh-addresses
//@[plain_fresh tags hazards hazards_all epochs epochs_all] verdict: safe
//@[tags hazards_all epochs epochs_all] assumes-not: fresh-addresses
//@[hazards_all epochs_all] args: --reuse all
//@[tags] cflags: -DTAGS
//@[hazards hazards_all] cflags: -DHAZARDS
//@[epochs epochs_all] cflags: -DEPOCHS
//@ source: Treiber, 1986; Michael, Hazard pointers, 2004; Fraser, Practical lock-freedom, 2004
//@ naive: no
// Two nodes lie on a stack, 1 above 2. A thread pops one. The other one pops both, frees them, and pushes a new node, which
// may lie where node 1 was: then the first thread's exchange succeeds, and puts the freed node 2 on top. A tag that every
// change counts up, or to free a node only if no thread has it in hand or is within an operation, prevents that.
// With hazard pointers the top is read twice, and compared plainly: `--reuse all` explores that, too.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
struct node {
  uintptr_t next;
  int value;
};
// The address of a node, with a tag in bits that no address has.
static _Atomic uintptr_t top;
static _Atomic uintptr_t hazard;
static atomic_int within, popped;
static struct node *first, *second, *third;
#ifdef TAGS
#define TAG ((uintptr_t)1 << 48)
#else
#define TAG ((uintptr_t)0)
#endif

static void *taker(void *unused) {
  within = 1;
  uintptr_t old = top;
#ifdef HAZARDS
  hazard = old;
  if (top != old)
    return 0;
#endif
  // As long as nobody else pops, node 1 is on top. (What lies below is not read from the node, which may have been freed.)
  if (popped)
    return 0;
  if (atomic_compare_exchange_strong(&top, &old, (uintptr_t)second + TAG))
    assert(popped < 2); //~[plain] assertion
  hazard = 0;
  within = 0;
  return 0;
}

static void release(struct node *node) {
#ifdef HAZARDS
  if (hazard == (uintptr_t)node)
    return;
#elif defined EPOCHS
  if (within)
    return;
#endif
  free(node);
}

int main(void) {
  pthread_t thread;
  first = malloc(sizeof *first);
  second = malloc(sizeof *second);
  *second = (struct node){0, 2};
  *first = (struct node){(uintptr_t)second, 1};
  top = (uintptr_t)first;
  pthread_create(&thread, 0, taker, 0);
  uintptr_t old = (uintptr_t)first;
  popped = 1;
  if (atomic_compare_exchange_strong(&top, &old, (uintptr_t)second + TAG)) {
    old = (uintptr_t)second + TAG;
    popped = 2;
    if (atomic_compare_exchange_strong(&top, &old, 2 * TAG)) {
      release(first);
      third = malloc(sizeof *third);
      *third = (struct node){0, 3};
      top = (uintptr_t)third + 3 * TAG;
    }
  }
  pthread_join(thread, 0);
  return 0;
}
