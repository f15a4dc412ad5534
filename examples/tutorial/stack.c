// A stack without locks, as Treiber made it: its head is exchanged only if it is still the one that was read. With
// -DCOUNTED the head also holds how often it was changed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static struct {
  atomic_uint next;
  atomic_int taken;
} nodes[3]; // 0 stands for none

#ifdef COUNTED
#define NODE(head) ((head) & 0xffff)
#define CHANGED(head, node) ((((head) >> 16) + 1) << 16 | (node))
#else
#define NODE(head) (head)
#define CHANGED(head, node) (node)
#endif

static atomic_uint top;

static void push(unsigned node) {
  unsigned head = top;
  nodes[node].taken = 0;
  do
    nodes[node].next = NODE(head);
  while (!atomic_compare_exchange_strong(&top, &head, CHANGED(head, node)));
}

static unsigned pop(void) {
  unsigned head = top, next;
  do {
    if (NODE(head) == 0)
      return 0;
    next = nodes[NODE(head)].next;
  } while (!atomic_compare_exchange_strong(&top, &head, CHANGED(head, next)));
  assert(!atomic_exchange(&nodes[NODE(head)].taken, 1)); // nobody else has it
  return NODE(head);
}

static void *other(void *unused) {
  unsigned first = pop();
  pop(); // and keeps it
  if (first)
    push(first);
  return unused;
}

int main(void) {
  pthread_t thread;
  push(2);
  push(1);
  pthread_create(&thread, 0, other, 0);
  pop();
  pthread_join(thread, 0);
  pop();
}
