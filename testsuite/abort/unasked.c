//@ revisions: other_thread behind in_block
//@ args: --check memory
//@[other_thread] verdict: unsafe(memory)
//@[behind in_block] verdict: safe
//@[behind] cflags: -DBEHIND
//@[in_block] cflags: -DIN_BLOCK
//@ source: nobody asks for the abort, which ends the process; what another thread can do before it counts
// An abort comes as late as one likes, so the other thread's use of what it has freed can come first; what its own
// thread does behind it never happens. In an atomic block it ends the block too, so that others are not locked out.
#include "../threads.h"
#include <pthread.h>
#include <stdlib.h>
void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *uses(void *arg) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  int *block = malloc(sizeof *block);
  free(block);
#if !defined BEHIND && !defined IN_BLOCK
  *block = 1; //~[other_thread] memory
#endif
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, uses, 0);
#ifdef IN_BLOCK
  __VERIFIER_atomic_begin();
#endif
  abort();
#ifdef IN_BLOCK
  __VERIFIER_atomic_end();
#endif
#ifdef BEHIND
  int *block = 0;
  *block = 1;
#endif
}
