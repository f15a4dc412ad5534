//@ revisions: plain locked atomic
//@[plain] verdict: unsafe(data-race)
//@[locked] verdict: safe
//@[locked] cflags: -DLOCKED
//@[atomic] verdict: safe
//@[atomic] cflags: -DKIND=_Atomic
//@ orders: 2
#include "../threads.h"
#ifndef KIND
#define KIND
#endif
static KIND int c;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *increment(void *arg) {
#ifdef LOCKED
  pthread_mutex_lock(&m);
#endif
  c++; //~[plain] data-race
#ifdef LOCKED
  pthread_mutex_unlock(&m);
#endif
  return 0;
}

int main(void) {
  run_copies(2, increment);
  return c == 2 ? 0 : 1;
}
