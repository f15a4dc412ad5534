//@ revisions: safe broken
//@[safe] verdict: safe
//@[broken] verdict: unsafe(assertion)
//@[broken] cflags: -DBROKEN
// Atomic operations on symbolic data: two threads add inputs to a counter. BROKEN: one of them loads and stores, and an
// update is lost, which shows unless the other input is 0.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern unsigned __VERIFIER_nondet_uint(void);

static atomic_uint counter;
static unsigned x, y;

static void *worker(void *unused) {
#ifdef BROKEN
  unsigned seen = counter;
  counter = seen + y;
#else
  counter += y;
#endif
  return unused;
}

int main(void) {
  pthread_t t;
  x = __VERIFIER_nondet_uint();
  y = __VERIFIER_nondet_uint();
  pthread_create(&t, 0, worker, 0);
  atomic_fetch_add(&counter, x);
  pthread_join(t, 0);
  assert(counter == x + y); //~[broken] assertion
  return 0;
}
