//@ verdict: safe
//@ revisions: index queue changed unordered freed
//@[index] cflags: -DINDEX
//@[queue] cflags: -DQUEUE
//@[index queue] awaits: 1
//@[queue] in-vain: 3
//@[changed] cflags: -DCHANGED
//@[unordered] cflags: -DUNORDERED
//@[freed] cflags: -DFREED
//@[unordered freed] verdict: unsafe(data-race)
//@ cutoffs: needed
//@ source: nobody sees an empty cell and goes on; with QUEUE each of two threads may have read the cell before it is set, in vain
// What a loop waits for depends on plain memory: nobody writes there, or in order before the loop looks at it, or
// somebody does while it looks.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node {
  int index;
  atomic_int *cells;
};
static atomic_int cells[2], stage;
static int limit = 1;
static struct node *node;

static void *waits(void *arg) {
#if defined(INDEX) || defined(FREED)
  while (!atomic_load(&cells[node->index])) //~[freed] memory
    ;
#elif defined(QUEUE)
  while (atomic_load(&node->cells[node->index]) == atomic_load(&node->cells[node->index - 1]))
    ;
#elif defined(CHANGED)
  int now;
  while ((now = atomic_load(&stage)) == 0 || now != limit)
    ;
  assert(now == 2);
#elif defined(UNORDERED)
  while (atomic_load(&stage) != limit) //~[unordered] data-race
    ;
#endif
  return arg;
}

static void *changes(void *arg) {
#if defined(INDEX) || defined(QUEUE)
  atomic_store(&node->cells[1], 1);
#elif defined(CHANGED)
  limit = 2;
  atomic_store(&stage, 1);
  atomic_store(&stage, 2);
#elif defined(UNORDERED)
  limit = 2;
  atomic_store(&stage, 2);
#elif defined(FREED)
  free(node); //~[freed] data-race
  atomic_store(&cells[1], 1);
#endif
  return arg;
}

int main(void) {
  node = malloc(sizeof *node);
  *node = (struct node){1, cells};
#if defined(INDEX) || defined(QUEUE)
  routine *routines[] = {waits, changes, waits};
  run_all(3, routines);
#else
  routine *routines[] = {waits, changes};
  run_all(2, routines);
#endif
#ifndef FREED
  free(node);
#endif
  return 0;
}
