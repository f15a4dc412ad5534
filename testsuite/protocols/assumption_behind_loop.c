//@ verdict: safe
//@ revisions: passes fails spins waits stays
//@[fails waits] cflags: -DSTORED=1
//@[spins stays] cflags: -DSTORED=0
//@[spins stays] verdict: unsafe(livelock)
//@[waits stays] args: --awaits assumptions
//@ cutoffs: needed
// A thread waits for any value, and assumes that it is a certain one: if that is another one, the execution is none of the
// program's. If there is none, the thread spins for ever, whatever it would assume then.
#include <pthread.h>
#include <stdatomic.h>
#ifndef STORED
#define STORED 2
#endif
extern void __VERIFIER_assume(int);
static atomic_int x;

static void *waiter(void *arg) {
  int value;
  while (!(value = atomic_load(&x))) //~[spins stays] livelock
    ;
  __VERIFIER_assume(value == 2);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waiter, 0);
  atomic_store(&x, STORED);
  pthread_join(t, 0);
  return 0;
}
