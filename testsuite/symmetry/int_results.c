//@ verdict: unsafe(assertion)
//@ alike: 2
//@ source: either thread may be the one that comes first
// Of what one thread returns only an `int` is left, for it was created as a thread of C11.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <threads.h>
static atomic_int count;

static void *thread(void *arg) {
  return atomic_fetch_add(&count, 1) == 1 ? (void *)(1ul << 32) : 0;
}

int main(void) {
  pthread_t first;
  thrd_t second;
  void *result;
  pthread_create(&first, 0, thread, 0);
  thrd_create(&second, (thrd_start_t)thread, 0);
  pthread_join(first, &result);
  thrd_join(second, 0);
  assert(!result); //~ assertion
  return 0;
}
