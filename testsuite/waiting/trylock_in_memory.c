//@ verdict: safe
//@ revisions: heap stack freed held
//@[heap] cflags: -DHEAP
//@[stack] cflags: -DSTACK
//@[heap stack] awaits: 6
//@[freed] cflags: -DHEAP -DFREED
//@[freed] args: --check memory
//@[freed] verdict: unsafe(memory)
//@[held] cflags: -DHEAP -DHELD
//@[held] verdict: unsafe(livelock)
//@ cutoffs: needed
//@ source: n! orders of n sections, if a turn only tries to take the lock
// A lock in a block of memory, or in a variable of a function, which threads try to take again and again. The block may
// be freed too early, or the lock never given back.
#include "../threads.h"
#include <sched.h>
#include <stdlib.h>
struct queue {
  pthread_mutex_t lock;
  int length;
};
static struct queue *queue;

static void *takes(void *arg) {
  while (pthread_mutex_trylock(&queue->lock)) //~[freed] memory //~[held] livelock
    sched_yield();
  queue->length++; //~[freed] memory
  pthread_mutex_unlock(&queue->lock); //~[freed] memory
  return arg;
}

int main(void) {
#ifdef HEAP
  queue = calloc(1, sizeof *queue);
#else
  struct queue variable = {.length = 0};
  queue = &variable;
#endif
  pthread_mutex_init(&queue->lock, 0);
#ifdef FREED
  pthread_t thread;
  pthread_create(&thread, 0, takes, 0);
  free(queue);
  pthread_join(thread, 0);
  return 0;
#elif defined(HELD)
  pthread_mutex_lock(&queue->lock);
  pthread_t thread;
  pthread_create(&thread, 0, takes, 0);
  pthread_join(thread, 0);
#else
  run_copies(3, takes);
#endif
  pthread_mutex_destroy(&queue->lock);
#ifdef HEAP
  free(queue);
#endif
  return 0;
}
