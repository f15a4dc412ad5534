//@ verdict: unsafe(assertion)
//@ alike: 1
//@ source: main's assumption holds if it has joined the thread that comes second before the first one has stored. The two other orders of exchanges, store and load are pruned
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern void __VERIFIER_assume(int);
static atomic_int x, y;

static void *thread(void *arg) {
  if (atomic_exchange(&x, 1) == 0)
    atomic_store(&y, 1);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, thread, 0);
  pthread_create(&second, 0, thread, 0);
  pthread_join(first, 0);
  __VERIFIER_assume(atomic_load(&y) == 0);
  assert(0); //~ assertion
  pthread_join(second, 0);
  return 0;
}
