//@ verdict: unsafe(uninitialised)
//@ revisions: flag updates
//@[updates] cflags: -DUPDATES
//@ cutoffs: needed
// One of two threads gives a member its first value and then says so, as the other one does without. Who sees that need
// not have learned of the value, though all see the same: stores of the same value and updates are not ordered.
#include "../threads.h"
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int *member, said;

static void say(void) {
#ifdef UPDATES
  atomic_fetch_add(&said, 1);
#else
  atomic_store(&said, 1);
#endif
}

static void *gives(void *arg) {
  atomic_store(member, 0);
  say();
  return arg;
}

static void *says(void *arg) {
  say();
  return arg;
}

static void *waits(void *arg) {
  while (!atomic_load(&said)) {
  }
  while (atomic_load(member)) { //~ uninitialised
  }
  return arg;
}

int main(void) {
  member = malloc(sizeof *member);
  routine *routines[] = {gives, says, waits};
  run_all(3, routines);
  free(member);
  return 0;
}
