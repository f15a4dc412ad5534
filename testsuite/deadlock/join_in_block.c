//@ verdict: unsafe(deadlock)
//@ revisions: fails waits
//@[waits] args: --awaits assumptions
// The thread that is waited for cannot move, for it is no part of the block, and so fails no assumption either.
#include <pthread.h>
#include <stdatomic.h>
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static atomic_int x;

static void *worker(void *arg) {
  __VERIFIER_assume(atomic_load(&x) == 1); //~ deadlock
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  __VERIFIER_atomic_begin();
  pthread_join(t, 0);
  __VERIFIER_atomic_end();
  return 0;
}
