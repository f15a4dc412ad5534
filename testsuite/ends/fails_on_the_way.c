//@ verdict: unsafe(assertion)
// A thread ends with the creation of one that fails at once. What main does behind the join comes after what the thread
// read, also where the exploration goes on behind the failure.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y, z;
static pthread_t child;

static void *fails(void *arg) {
  assert(!arg); //~ assertion
  return arg;
}

static void *creates(void *arg) {
  int value = atomic_load(&x);
  pthread_create(&child, 0, fails, &child);
  return (void *)(long)value;
}

static void *stores(void *arg) {
  atomic_store(&x, 1);
  atomic_store(&x, 2);
  if (atomic_load(&y) == 2)
    atomic_store(&z, 7);
  return arg;
}

int main(void) {
  pthread_t first, second;
  void *value;
  pthread_create(&second, 0, stores, 0);
  pthread_create(&first, 0, creates, 0);
  pthread_join(first, &value);
  atomic_store(&y, (int)(long)value + 1);
  int found = atomic_load(&z);
  assert(found != 7 || !value); //~ assertion
  pthread_join(second, 0);
  pthread_join(child, 0);
  return 0;
}
