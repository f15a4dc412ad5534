//@ revisions: unsure sure
//@[unsure] verdict: unsafe(assertion)
//@[unsure] samples: 5
//@[sure] verdict: safe
//@[sure] cflags: -DSURE
//@[sure] naive: no
// After the family "work-stealing queue": the owner takes from the bottom, a thief from the top. The owner does not make sure that it
// gets the last item before the thief does.
#include "threads_of.h"
#include <assert.h>
#include <stdatomic.h>
enum { ITEMS = 2 };
static atomic_int top, bottom = ITEMS, taken[ITEMS];

static void use(int item) {
  assert(atomic_fetch_add(&taken[item], 1) == 0); //~[unsure] assertion
}

static void *owner(void *arg) {
  for (int i = 0; i < ITEMS; i++) {
    int b = bottom - 1;
    bottom = b;
    int t = top;
    if (t < b)
      use(b);
    else {
      int won = t == b;
#ifdef SURE
      won = won && atomic_compare_exchange_strong(&top, &t, t + 1);
#endif
      bottom = b + 1;
      if (won)
        use(b);
      break;
    }
  }
  return arg;
}

static void *thief(void *arg) {
  for (int i = 0; i < ITEMS; i++) {
    int t = top, b = bottom;
    if (t >= b)
      break;
    if (atomic_compare_exchange_strong(&top, &t, t + 1))
      use(t);
  }
  return arg;
}

int main(void) {
  run_many(0, 0, 2, (routine *const[]){owner, thief});
  return 0;
}
