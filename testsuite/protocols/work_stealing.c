//@ revisions: right swapped generous
//@ verdict: safe
//@[swapped generous] verdict: unsafe(assertion)
//@[swapped] cflags: -DSWAPPED
//@[generous] cflags: -DGENEROUS
//@ source: Chase and Lev, Dynamic circular work-stealing deque, 2005
//@ orders: 2
//@ naive: no
// The owner works at the bottom, the thief at the top. The owner must lower the bottom before it looks at the top, and
// the last item belongs to whoever moves the top.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
static atomic_int top, bottom, place[2], done[3];

static void push(int item) {
  int b = bottom;
  place[b % 2] = item;
  bottom = b + 1;
}

static int take(void) {
#ifdef SWAPPED
  int t = top, b = bottom - 1;
  bottom = b;
#else
  int b = bottom - 1;
  bottom = b;
  int t = top;
#endif
  if (t > b) {
    bottom = b + 1;
    return 0;
  }
  int item = place[b % 2];
  if (t == b) {
#ifdef GENEROUS
    top = t + 1;
#else
    if (!atomic_compare_exchange_strong(&top, &t, b + 1))
      item = 0;
#endif
    bottom = b + 1;
  }
  return item;
}

static int steal(void) {
  int t = top;
  if (t >= bottom)
    return 0;
  int item = place[t % 2];
  return atomic_compare_exchange_strong(&top, &t, t + 1) ? item : 0;
}

static void work(int item) {
  if (item != 0)
    assert(done[item]++ == 0); //~[swapped generous] assertion
}

static void *owner(void *arg) {
  push(1);
  push(2);
  work(take());
  work(take());
  return 0;
}

static void *thief(void *arg) {
  work(steal());
  work(steal());
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){owner, thief});
  assert(done[1] == 1 && done[2] == 1);
  return 0;
}
