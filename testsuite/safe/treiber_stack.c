//@ verdict: safe
//@ executions: 4
//@ source: one after the other: 2; or both load first, one exchange succeeds, the other fails once: 2
//@ orders: 2
//@ native: run
// Two pushes on a lock-free stack.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
struct node { struct node *next; int value; };
static struct node nodes[2];
static struct node *_Atomic top;

static void *push(void *arg) {
  struct node *n = &nodes[(long)arg];
  n->value = 1 + (int)(long)arg;
  n->next = atomic_load(&top);
  while (!atomic_compare_exchange_weak(&top, &n->next, n))
    ;
  return 0;
}

int main(void) {
  run_copies(2, push);
  struct node *first = top;
  assert(first->value + first->next->value == 3 && !first->next->next);
  return 0;
}
