//@ revisions: right unconfirmed
//@ verdict: safe
//@[unconfirmed] verdict: unsafe(memory)
//@[unconfirmed] cflags: -DUNCONFIRMED
//@[unconfirmed] args: --check memory
//@ source: Treiber, 1986; Michael, Hazard pointers: safe memory reclamation for lock-free objects, 2004
//@ orders: 2
//@ cutoffs: needed
// Each thread pushes a node, pops one and frees it, for ever: memory comes and goes, and so does the state. Who says
// that it looks at a node must make sure that the node was still there when it said so.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node {
  struct node *next;
};
static struct node *_Atomic top, *_Atomic hazard[2];

static void push(void) {
  struct node *node = malloc(sizeof *node);
  struct node *old = top;
  do
    node->next = old;
  while (!atomic_compare_exchange_strong(&top, &old, node));
}

static struct node *pop(long me) {
  for (;;) {
    struct node *node = top;
    hazard[me] = node;
#ifndef UNCONFIRMED
    if (top != node)
      continue;
#endif
    struct node *old = node;
    struct node *below = node->next; //~[unconfirmed] memory
    if (atomic_compare_exchange_strong(&top, &old, below))
      break;
  }
  return atomic_exchange(&hazard[me], 0);
}

static void *worker(void *arg) {
  long me = (long)arg;
  while (1) {
    push();
    struct node *node = pop(me);
    while (hazard[1 - me] == node)
      ;
    free(node);
  }
}

int main(void) {
  run_copies(2, worker);
  return 0;
}
