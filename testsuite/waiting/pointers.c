//@ verdict: safe
//@ revisions: flag number list mcs2
//@[flag] cflags: -DFLAG
//@[number] cflags: -DNUMBER
//@[list] cflags: -DLIST
//@[flag number list] awaits: 1
//@[mcs2] cflags: -DMCS
//@ cutoffs: needed
//@ source: whoever waits goes on when the pointer is there, in one way
// Threads wait for a pointer that another thread stores. What an atomic operation on a pointer returns is a number to
// clang, which it keeps in a variable for a pointer.
#include "../threads.h"
#include <assert.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>
struct node {
  _Atomic(struct node *) next;
  atomic_int locked;
};
static _Atomic(struct node *) first;
static struct node one, two;
static int used;

#ifdef MCS
// The lock of Mellor-Crummey and Scott.
static void *waits(void *arg) {
  struct node mine, *self = &mine, *next;
  atomic_init(&mine.next, 0);
  atomic_init(&mine.locked, 1);
  struct node *before = atomic_exchange(&first, &mine);
  if (before) {
    atomic_store(&before->next, &mine);
    while (atomic_load(&mine.locked))
      sched_yield();
  }
  used++;
  assert(used == 1);
  used--;
  if (!atomic_load(&mine.next) && atomic_compare_exchange_strong(&first, &self, 0)) return arg;
  while (!(next = atomic_load(&mine.next)))
    ;
  atomic_store(&next->locked, 0);
  return arg;
}

int main(void) {
  run_copies(2, waits);
  assert(!first);
  return 0;
}
#else
static void *waits(void *arg) {
#ifdef FLAG
  while (!atomic_load(&first))
    ;
#elif defined(NUMBER)
  struct node *node;
  while ((node = atomic_load(&first)) == 0)
    usleep(1);
  assert(node == &one);
#elif defined(LIST)
  struct node *node = &one;
  do
    while (!atomic_load(&node->next))
      sched_yield();
  while ((node = atomic_load(&node->next)) != &two);
#endif
  return arg;
}

static void *sets(void *arg) {
  atomic_store(&one.next, &two);
  atomic_store(&first, &one);
  return arg;
}

int main(void) {
  routine *routines[] = {waits, sets, waits};
  run_all(3, routines);
  return 0;
}
#endif
