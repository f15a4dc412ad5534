//@ verdict: unsafe(assertion)
//@ alike: 1
//@ source: the thread that was created first comes second, and its result is not 0; the other way round the assumption fails
// What one thread has returned decides whether the other one, which has returned something else, is joined at all.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern void __VERIFIER_assume(int);
static atomic_int count, flag;

static void *thread(void *arg) {
  return atomic_fetch_add(&count, 1) == 1 ? (void *)5 : 0;
}

int main(void) {
  pthread_t first, second;
  void *result;
  pthread_create(&first, 0, thread, 0);
  pthread_create(&second, 0, thread, 0);
  pthread_join(first, &result);
  if (!result) __VERIFIER_assume(atomic_load(&flag));
  assert(0); //~ assertion
  pthread_join(second, 0);
  return 0;
}
