//@ verdict: unsafe(assertion)
//@ alike: 2
//@ source: the thread that counts second returns 5; if that is the first one, main is told so
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int count;

static void *thread(void *arg) {
  return atomic_fetch_add(&count, 1) == 1 ? (void *)5 : 0;
}

int main(void) {
  pthread_t first, second;
  void *result;
  pthread_create(&first, 0, thread, 0);
  pthread_create(&second, 0, thread, 0);
  pthread_join(first, &result);
  pthread_join(second, 0);
  assert(!result); //~ assertion
  return 0;
}
