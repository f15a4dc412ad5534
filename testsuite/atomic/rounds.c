//@ revisions: one two five
//@[one] cflags: -DN=1
//@[two] cflags: -DN=2
//@[five] cflags: -DN=5
//@[five] naive: no
//@ verdict: unsafe(assertion)
// N threads count. When they are over, the counter is reset by a plain store, and one thread looks at it beside another
// one that sets it to 9 if it is 0.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void *arrives(void *arg) {
  atomic_fetch_add(&count, 1);
  return arg;
}

static void *looks(void *arg) {
  int seen = atomic_load(&count);
  assert(seen != 9); //~ assertion
  return arg;
}

static void *takes(void *arg) {
  int expected = 0;
  atomic_compare_exchange_strong(&count, &expected, 9);
  return arg;
}

int main(void) {
  pthread_t threads[N], others[2];
  for (int i = 0; i < N; i++)
    pthread_create(&threads[i], 0, arrives, 0);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
  atomic_init(&count, 0);
  pthread_create(&others[0], 0, looks, 0);
  pthread_create(&others[1], 0, takes, 0);
  pthread_join(others[0], 0);
  pthread_join(others[1], 0);
}
