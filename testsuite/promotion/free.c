//@ revisions: early late
//@ verdict: safe
//@ args: --check memory
//@[early] verdict: unsafe(memory)
//@[early] cflags: -DEARLY
//@[early] executions: 2
//@[early] promoted: 1
//@[late] executions: 1
//@[late] promoted: 0
//@ source: the free comes before or after the write, unless the join orders them
// The end of a block counts as a write of all of it.
#include <pthread.h>
#include <stdlib.h>

static void *writer(void *block) {
  *(int *)block = 1; //~[early] memory
  return 0;
}

int main(void) {
  int *block = malloc(64);
  pthread_t t;
  pthread_create(&t, 0, writer, block);
#ifdef EARLY
  free(block);
  pthread_join(t, 0);
#else
  pthread_join(t, 0);
  free(block);
#endif
  return 0;
}
