//@ revisions: loses frees exits_first last_action
//@[loses] verdict: unsafe(leak)
//@[loses] cflags: -DLOSE
//@[loses] executions: 1
//@[frees] verdict: safe
//@[frees] cflags: -DFREE
//@[frees] executions: 1
//@[exits_first] verdict: safe
//@[exits_first] cflags: -DHAND_OVER
//@[exits_first] executions: 1
//@[last_action] verdict: safe
//@[last_action] cflags: -DTAKE
//@[last_action] executions: 1
//@ source: main's end depends on nothing that the thread does, which is never joined
// The process may end at any time while the thread runs. What it loses is lost if it gets that far; what it holds is not.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static _Atomic(int *) shared;
static atomic_int steps;

static void *worker(void *arg) {
  (void)arg;
  int *block = malloc(sizeof *block); //~[loses] leak
  steps = 1;
#ifdef LOSE
  block = 0;
  steps = 2;
#elif defined FREE
  free(block);
  steps = 2;
#elif defined HAND_OVER
  shared = block;
  steps = 2;
#elif defined TAKE
  shared = block;
  block = 0;
  free(atomic_exchange(&shared, 0));
#endif
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  return 0;
}
