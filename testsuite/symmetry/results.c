//@ verdict: unsafe(assertion)
//@ alike: 2
//@ source: either thread may be the one that comes first
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int count;

static void *thread(void *arg) {
  return (void *)(long)atomic_fetch_add(&count, 1);
}

int main(void) {
  pthread_t first, second;
  void *one, *other;
  pthread_create(&first, 0, thread, 0);
  pthread_create(&second, 0, thread, 0);
  pthread_join(first, &one);
  pthread_join(second, &other);
  assert(one < other); //~ assertion
  return 0;
}
