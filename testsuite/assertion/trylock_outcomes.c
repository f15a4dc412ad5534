//@ revisions: both_succeed one_fails safe
//@[both_succeed one_fails] verdict: unsafe(assertion)
//@[both_succeed] cflags: -DNEVER=(taken==2)
//@[one_fails] cflags: -DNEVER=(taken==1)
//@[safe] verdict: safe
//@[safe] cflags: -DNEVER=(taken==0)
//@ executions: 4
//@ source: who is first, and whether the other's try comes before or after the unlock: 2*2
//@ orders: 2
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int taken;

static void *try(void *arg) {
  if (pthread_mutex_trylock(&m) == 0) {
    taken++;
    pthread_mutex_unlock(&m);
  }
  return 0;
}

int main(void) {
  run_copies(2, try);
  assert(!NEVER); //~[both_succeed one_fails] assertion
  return 0;
}
