//@ revisions: right unconfirmed unprotected
//@ verdict: safe
//@[unconfirmed unprotected] verdict: unsafe(memory)
//@[unconfirmed] cflags: -DFOR_EVER=0 -DSTILL_THERE=1
//@[unprotected] cflags: -DFOR_EVER=0 -DIN_USE=0
//@[unconfirmed unprotected] args: --check memory
//@ source: Treiber, 1986; Michael, Hazard pointers: safe memory reclamation for lock-free objects, 2004
//@ orders: 2
//@ cutoffs: needed
// One thread fills and empties a stack and frees what it takes out, for ever; the other one looks at what is on top. It
// must say that it does, and see that the node is still there, before it looks; and nobody frees what somebody looks at.
// (One round of it is enough to see what goes wrong otherwise.)
// (testsuite/bench/treiber_hazard.c, where both threads push and pop, has a million states.)
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifndef STILL_THERE
#define STILL_THERE (top == node)
#endif
#ifndef FOR_EVER
#define FOR_EVER 1
#endif
#ifndef IN_USE
#define IN_USE (hazard == node)
#endif
struct node {
  struct node *next;
  int value;
};
static struct node *_Atomic top, *_Atomic hazard;

static void push(int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  node->next = top;
  while (!atomic_compare_exchange_strong(&top, &node->next, node))
    ;
}

// Only one thread pops, so that what it sees on top stays there.
static struct node *pop(void) {
  struct node *node = top;
  while (!atomic_compare_exchange_strong(&top, &node, node->next))
    ;
  return node;
}

static void *owner(void *arg) {
  do {
    push(1);
    push(2);
    for (int left = 2; left > 0; left--) {
      struct node *node = pop();
      assert(node->value == left);
      while (IN_USE)
        ;
      free(node);
    }
  } while (FOR_EVER);
  return 0;
}

static void *looker(void *arg) {
  while (1) {
    struct node *node = top;
    hazard = node;
    if (STILL_THERE && node)
      assert(node->value == 1 || node->value == 2); //~[unconfirmed unprotected] memory
  }
}

int main(void) {
  run_all(2, (routine *[]){owner, looker});
  return 0;
}
