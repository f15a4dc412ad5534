//@ revisions: right untagged
//@ verdict: safe
//@[untagged] verdict: unsafe(assertion)
//@[untagged] cflags: -DTAG=0
//@ source: Treiber, Systems programming: coping with parallelism, 1986
//@ orders: 2
//@ naive: no
// A stack of nodes that are used again. A tag that every push counts up tells a top that came back from one that never
// went away; without it a thread pops what the other one has in hand.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
#ifndef TAG
#define TAG 4
#endif
// Nodes 1 and 2, the top being 1; 0 is no node.
static atomic_int top = 1, next[3] = {0, 2, 0}, in_hand[3];

static void push(int node) {
  in_hand[node] = 0;
  int old = top;
  do
    next[node] = old & 3;
  while (!atomic_compare_exchange_strong(&top, &old, ((old & ~3) + TAG) | node));
}

static int pop(void) {
  int old = top, node;
  do {
    node = old & 3;
    if (node == 0)
      return 0;
  } while (!atomic_compare_exchange_strong(&top, &old, (old & ~3) | next[node]));
  assert(in_hand[node]++ == 0); //~[untagged] assertion
  return node;
}

static void *twice(void *arg) {
  int one = pop(), two = pop();
  if (one)
    push(one);
  if (two)
    push(two);
  return 0;
}

int main(void) {
  run_copies(2, twice);
  return 0;
}
