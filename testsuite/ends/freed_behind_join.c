//@ verdict: unsafe(memory)
//@ revisions: used unused
//@[unused] verdict: safe
//@[unused] cflags: -DUNUSED
// A thread frees behind a join what a third one may still use.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int *block;

static void *first(void *arg) {
  atomic_store(block, 1);
  return 0;
}

static void *second(void *arg) {
  atomic_fetch_add(block, 1); //~[used] memory
  return 0;
}

int main(void) {
  pthread_t one, two;
  block = malloc(sizeof *block);
  if (!block)
    return 0;
  atomic_init(block, 0);
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);
#ifdef UNUSED
  pthread_join(two, 0);
#endif
  free(block);
#ifndef UNUSED
  pthread_join(two, 0);
#endif
  return 0;
}
