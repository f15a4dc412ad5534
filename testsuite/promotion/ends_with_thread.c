//@ revisions: local inner own
//@ verdict: unsafe(memory)
//@ args: --check assertion,memory
//@[inner] cflags: -DINNER
//@[own] cflags: -DOWN
//@ orders: 2
//@ source: own; the pointer may be used behind the end of the thread, in every order of creation
// A racy variable that ends with its thread does so by an action of its own: here, in a function that was called, and a
// thread-local one.
#include "../threads.h"

static int *volatile shared;

#ifdef OWN
static _Thread_local int variable;
#endif

static void leave(void) {
#ifdef INNER
  pthread_exit(0);
#endif
}

static void *owns(void *arg) {
#ifndef OWN
  int variable;
#endif
  variable = 1;
  shared = &variable;
  variable = 2;
  leave();
  return 0;
}

static void *uses(void *arg) {
  int *seen = shared;
  if (seen) *seen = 3; //~ memory
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){owns, uses});
  return 0;
}
