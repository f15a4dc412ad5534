//@ revisions: right swapped generous stale
//@ verdict: safe
//@[swapped generous stale] verdict: unsafe(assertion)
//@[swapped] cflags: -DSWAPPED
//@[generous] cflags: -DGENEROUS
//@[stale] cflags: -DTHIEF_INSIDE=0
//@ slow: states
//@ source: Chase and Lev, Dynamic circular work-stealing deque, 2005
//@ orders: 2
//@ cutoffs: needed
// work_stealing.c for ever: whenever both items are done the owner puts them in again. Indices wrap: they are numbers
// modulo 8, of which those beyond 4 count as negative where two of them are compared. So the owner must wait for a thief
// that has looked at them: after eight rounds they are what they were, and a thief that comes back to them then takes what
// is not there.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
#ifndef THIEF_INSIDE
#define THIEF_INSIDE inside
#endif
static atomic_int top, bottom, place[2], done[3], inside;

static int modulo(int n) { return n & 7; }

static int items_between(int t, int b) {
  int n = modulo(b - t);
  return n > 4 ? n - 8 : n;
}

static void push(int item) {
  int b = bottom;
  place[b % 2] = item;
  bottom = modulo(b + 1);
}

static int take(void) {
#ifdef SWAPPED
  int t = top, b = modulo(bottom - 1);
  bottom = b;
#else
  int b = modulo(bottom - 1);
  bottom = b;
  int t = top;
#endif
  int others = items_between(t, b);
  int item = 0;
  if (others >= 0)
    item = place[b % 2];
  if (others == 0) {
#ifdef GENEROUS
    top = modulo(t + 1);
#else
    if (!atomic_compare_exchange_strong(&top, &t, modulo(b + 1)))
      item = 0;
#endif
  }
  if (others <= 0)
    bottom = modulo(b + 1);
  return item;
}

static int steal(void) {
  int t = top;
  if (items_between(t, bottom) <= 0)
    return 0;
  int item = place[t % 2];
  return atomic_compare_exchange_strong(&top, &t, modulo(t + 1)) ? item : 0;
}

static void work(int item) {
  if (item != 0)
    assert(done[item]++ == 0); //~[swapped generous stale] assertion
}

static void *owner(void *arg) {
  while (1) {
    done[1] = 0;
    done[2] = 0;
    push(1);
    push(2);
    work(take());
    work(take());
    while (!done[1] || !done[2] || THIEF_INSIDE)
      ;
  }
}

static void *thief(void *arg) {
  while (1) {
    inside = 1;
    work(steal());
    inside = 0;
  }
}

int main(void) {
  run_all(2, (routine *[]){owner, thief});
  return 0;
}
