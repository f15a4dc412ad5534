//@ revisions: right right32 unprotected
//@ verdict: safe
//@ args: --check assertion,memory --reuse all
//@ assumes-not: fresh-addresses
//@[right32] cflags: -m32
//@[unprotected] verdict: unsafe(memory)
//@[unprotected] cflags: -DUNPROTECTED
//@ source: Treiber, 1986; Michael, Hazard pointers: safe memory reclamation for lock-free objects, 2004
// Two nodes on a stack. One thread pops one of them. The other one pops both, frees the first if it is in no hand, and pushes
// a new node, which may lie where the freed one was. Each comparison of `top` with a node that was seen before may so be one
// with another node: that of the exchange, and the plain one by which the first thread sees that its node is still there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node {
  struct node *next;
  int value;
};
static _Atomic(struct node *) top, hazard;

static void push(int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  node->next = top;
  while (!atomic_compare_exchange_strong(&top, &node->next, node))
    ;
}

// Only the thread that frees nodes needs no protection from it.
static struct node *pop(int protects) {
  for (;;) {
    struct node *node = top;
    if (!node)
      return 0;
#ifndef UNPROTECTED
    if (protects) {
      hazard = node;
      if (top != node)
        continue;
    }
#endif
    struct node *next = node->next; //~[unprotected] memory
    if (atomic_compare_exchange_strong(&top, &node, next)) {
      if (protects)
        hazard = 0;
      return node;
    }
  }
}

static void *taker(void *unused) {
  struct node *node = pop(1);
  if (node) {
    assert(node->value > 0);
    node->value = 0;
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  push(2);
  push(1);
  pthread_create(&thread, 0, taker, 0);
  struct node *first = pop(0), *second = first ? pop(0) : 0;
  if (first && hazard != first) {
    free(first);
    push(3);
  }
  pthread_join(thread, 0);
  return second && second->value < 0;
}
