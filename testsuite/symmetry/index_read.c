//@ verdict: unsafe(assertion)
//@ alike: 2
//@ source: each thread gets its index, which it stores: either one may come last
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_long x = 2;

static void *thread(void *arg) {
  atomic_exchange(&x, (long)arg);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, thread, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  assert(x != 0); //~ assertion
  return 0;
}
