//@ verdict: unsafe(assertion)
//@ revisions: bug safe
//@[safe] verdict: safe
//@[safe] cflags: -DSAFE
//@[safe] executions: 2
//@ source: own; the exchange and the store come in two orders
// What a thread returns is seen by the thread that joins it, in local steps only.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;

static void *exchanges(void *arg) {
  return (void *)(long)atomic_exchange(&x, 1);
}

static void *stores(void *arg) {
  atomic_store(&x, 2);
  return 0;
}

int main(void) {
  pthread_t one, two;
  void *result;
  pthread_create(&one, 0, exchanges, 0);
  pthread_create(&two, 0, stores, 0);
  pthread_join(one, &result);
#ifdef SAFE
  assert((long)result == 0 || (long)result == 2);
#else
  assert((long)result == 0); //~[bug] assertion
#endif
  pthread_join(two, 0);
  return 0;
}
