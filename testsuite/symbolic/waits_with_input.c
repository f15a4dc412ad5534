//@ revisions: safe broken
//@[safe] verdict: safe
//@[safe] executions: 1
//@[safe] source: derived: main waits for the flag, so that there is one order; an input of 0 ends it before
//@[broken] verdict: unsafe(assertion)
//@[broken] cflags: -DBROKEN
//@ naive: no
// A thread that has read an input, and has it in a register still, waits for a flag that has nothing to do with it.
// BROKEN: one input of 2^32 is taken for impossible.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static atomic_int flag;
static int input;

static void *set(void *arg) {
  atomic_store(&flag, 1);
  return arg;
}

int main(void) {
  pthread_t thread;
  input = __VERIFIER_nondet_int();
  __VERIFIER_assume(input != 0);
  pthread_create(&thread, 0, set, 0);
  while (!atomic_load(&flag))
    ;
  pthread_join(thread, 0);
#ifdef BROKEN
  assert(input != 5); //~[broken] assertion
#else
  assert(input != 0);
#endif
}
