//@ verdict: safe
//@ executions: 1
//@ source: own; the load comes after the join, and so after the store
// The first thing that a thread does is to join another one, which may be over before it is created.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static pthread_t first;

static void *stores(void *arg) {
  atomic_store(&x, 1);
  return 0;
}

static void *joins(void *arg) {
  pthread_join(first, 0);
  assert(atomic_load(&x) == 1);
  return 0;
}

static void *creates(void *arg) {
  pthread_t third;
  pthread_create(&third, 0, joins, 0);
  pthread_join(third, 0);
  return 0;
}

int main(void) {
  pthread_t second;
  pthread_create(&first, 0, stores, 0);
  pthread_create(&second, 0, creates, 0);
  pthread_join(second, 0);
  return 0;
}
