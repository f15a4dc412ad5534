//@ verdict: unsafe(assertion)
//@ alike: 2
//@ source: either thread may be the one that comes first
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_ulong winner;

static void *thread(void *arg) {
  unsigned long none = 0;
  atomic_compare_exchange_strong(&winner, &none, pthread_self());
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, thread, 0);
  pthread_create(&second, 0, thread, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(winner == first); //~ assertion
  return 0;
}
