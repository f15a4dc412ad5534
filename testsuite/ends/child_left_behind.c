//@ verdict: safe
//@ source: own; all four threads are joined before the assertion
// A thread is over and was joined; one that it has created is not. The next thread and its child are others than these.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static pthread_t children[2];

static void *adds(void *arg) {
  atomic_fetch_add(&x, 1);
  return arg;
}

static void *creates(void *place) {
  pthread_create(place, 0, adds, 0);
  return 0;
}

int main(void) {
  pthread_t t;
  for (int i = 0; i < 2; i++) {
    pthread_create(&t, 0, creates, &children[i]);
    pthread_join(t, 0);
  }
  for (int i = 0; i < 2; i++)
    pthread_join(children[i], 0);
  assert(x == 2);
  return 0;
}
