//@ verdict: unsafe(assertion)
//@ alike: 3
//@ source: if the second thread counts first, the first one has seen that when it ends, and x is set; else it need not be
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int count, x;

static void *thread(void *arg) {
  if (atomic_fetch_add(&count, 1) == 0)
    atomic_store(&x, 1);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, thread, 0);
  pthread_create(&second, 0, thread, 0);
  pthread_join(first, 0);
  assert(atomic_load(&x) == 1); //~ assertion
  pthread_join(second, 0);
  return 0;
}
