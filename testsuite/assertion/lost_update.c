//@ revisions: split whole
//@[split] verdict: unsafe(assertion)
//@[split] executions: 4
//@[split] source: two sections per thread, C(4,2) = 6 orders; that of the two that only read makes no difference in two pairs of them
//@[whole] verdict: safe
//@[whole] cflags: -DWHOLE
//@[whole] executions: 2
//@[whole] source: one section per thread: 2!
//@ orders: 2
#include "../threads.h"
#include <assert.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static void *deposit(void *arg) {
  pthread_mutex_lock(&m);
  int old = balance;
#ifndef WHOLE
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
#endif
  balance = old + 1;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  run_copies(2, deposit);
  assert(balance == 2); //~[split] assertion
  return 0;
}
