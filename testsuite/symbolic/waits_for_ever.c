//@ revisions: safe broken
//@[safe] verdict: safe
//@[broken] verdict: unsafe(livelock)
//@[broken] cflags: -DBROKEN
//@ cutoffs: needed
// A thread waits for a flag that another one sets. BROKEN: not if the input is 77.
#include <pthread.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
static atomic_int flag;

static void *setter(void *unused) {
#ifdef BROKEN
  if (__VERIFIER_nondet_int() != 77)
#else
  if (__VERIFIER_nondet_int() != 77 || 1)
#endif
    flag = 1;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, setter, 0);
  while (!flag) //~[broken] livelock
    ;
  pthread_join(t, 0);
  return 0;
}
