// Threads that wait for a flag, by a function `waits` of the program, and one that sets it.
#include "../threads.h"
#include <stdatomic.h>
// How many threads wait: one or two.
#ifndef WAITING
#define WAITING 2
#endif
static atomic_int flag;
static void *waits(void *arg);

static void *sets(void *arg) {
  atomic_store(&flag, 1);
  return arg;
}

int main(void) {
  routine *routines[] = {waits, sets, waits};
  run_all(1 + WAITING, routines);
  return 0;
}
