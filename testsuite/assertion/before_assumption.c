//@ verdict: unsafe(assertion)
//@ revisions: fails waits
//@[fails] args: --awaits on
// A thread whose assumption fails later has no say in what others did before.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern void __VERIFIER_assume(int);
static atomic_int x, y;

static void *assumes(void *arg) {
  atomic_fetch_add(&x, 1);
  __VERIFIER_assume(atomic_load(&y) >= 2);
  atomic_fetch_add(&x, 1);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, assumes, 0);
  atomic_store(&y, 1);
  assert(atomic_load(&x) == 0); //~ assertion
  pthread_join(t, 0);
  return 0;
}
