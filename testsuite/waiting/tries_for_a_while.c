//@ verdict: safe
//@ revisions: function nested consumer handed pops
//@[function] cflags: -DFUNCTION
//@[nested] cflags: -DNESTED
//@[consumer] cflags: -DCONSUMER
//@[handed] cflags: -DCONSUMER -DHANDED
//@[pops] cflags: -DPOPS
//@ cutoffs: needed
//@[function] awaits: 1
//@[nested] awaits: 1
//@[consumer] awaits: 2
//@[handed] awaits: 2
//@[pops] awaits: 1
//@ source: what is waited for comes once; two producers (consumer, handed) take the end of the queue in two orders
// A function tries so often, or once, and says whether it has found something; the function that calls it goes on
// until that is so.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;
static int data;

// What the function returns is no value on the way out of its loop.
static int try_often(void) {
  for (int i = 0; i < 100; i++)
    if (atomic_load_explicit(&flag, memory_order_acquire))
      return 1;
  return 0;
}

static int try_nested(void) {
  for (int i = 0; i < 10; i++)
    if (try_often())
      return 1;
  return 0;
}

typedef struct node {
  _Atomic(struct node *) next;
  int value;
} node;

// The queue of Vyukov's with one consumer, which reads where it stands without an action, and moves on.
static node stub, nodes[2];
static _Atomic(node *) last = &stub;
static node *first = &stub;

static void push(node *node, int value) {
  node->value = value;
  atomic_store_explicit(&node->next, 0, memory_order_relaxed);
  struct node *before = atomic_exchange(&last, node);
  atomic_store_explicit(&before->next, node, memory_order_release);
}

static int pop(int *value) {
  node *next = atomic_load_explicit(&first->next, memory_order_acquire);
  if (!next)
    return 0;
  *value = next->value;
  first = next;
  return 1;
}

static node *pop_node(void) {
  node *next = atomic_load_explicit(&first->next, memory_order_acquire);
  if (next)
    first = next;
  return next;
}

static void *work(void *arg) {
#ifdef CONSUMER
  push(arg, 1 + (int)((node *)arg - nodes));
#elif defined POPS
  push(arg, 1);
#else
  data = 42;
  atomic_store_explicit(&flag, 1, memory_order_release);
#endif
  return 0;
}

int main(void) {
  pthread_t threads[2];
#ifdef CONSUMER
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, work, &nodes[i]);
  int sum = 0;
  for (int i = 0; i < 2; i++) {
#ifdef HANDED
    node *found;
    while (!(found = pop_node()))
      sched_yield();
    sum += found->value;
#else
    int value;
    while (!pop(&value))
      sched_yield();
    sum += value;
#endif
  }
  assert(sum == 3);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
#else
  pthread_create(&threads[0], 0, work, &nodes[0]);
#if defined FUNCTION
  while (!try_often())
    sched_yield();
  assert(data == 42);
#elif defined NESTED
  while (!try_nested())
    sched_yield();
  assert(data == 42);
#elif defined POPS
  int value;
  while (!pop(&value))
    ;
  assert(value == 1);
#endif
  pthread_join(threads[0], 0);
#endif
  return 0;
}
