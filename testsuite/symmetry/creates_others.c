//@ verdict: unsafe(assertion)
//@ alike: 2
//@ source: the thread that comes first need not be the one that was created first, and so its child need not have the smaller number
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_ulong children[2];
static atomic_int count;

static void *child(void *arg) { return 0; }

static void *thread(void *arg) {
  int place = atomic_fetch_add(&count, 1);
  pthread_t handle;
  pthread_create(&handle, 0, child, 0);
  atomic_store(&children[place], handle);
  pthread_join(handle, 0);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, thread, 0);
  pthread_create(&second, 0, thread, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  int ascending = children[0] < children[1];
  assert(ascending); //~ assertion
  return 0;
}
