//@ revisions: apart together
//@[apart] verdict: unsafe(data-race)
//@[together] cflags: -DTOGETHER
//@[together] verdict: safe
// A block orders what comes before it with what comes behind another one only if both touch the same.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

static int flag, other, data;

static void *writes(void *arg) {
  data = 1; //~[apart] data-race
  __VERIFIER_atomic_begin();
#ifdef TOGETHER
  flag = 1;
#else
  other = 1;
#endif
  __VERIFIER_atomic_end();
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writes, 0);
  __VERIFIER_atomic_begin();
  int seen = flag;
#ifndef TOGETHER
  seen = 1;
#endif
  __VERIFIER_atomic_end();
  if (seen) {
    volatile int value = data; //~[apart] data-race
    (void)value;
  }
  pthread_join(thread, 0);
  return 0;
}
