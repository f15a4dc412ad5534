//@ verdict: unsafe(assertion)
//@ revisions: stored joined
//@[joined] cflags: -DJOINED
//@ slow: naive
// Main ends and awaits nobody. Two threads store the same, which a third one sees. The assertion fails in another thread
// before the end of the process, which is not needed for that, whichever of the two stores is.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int same, flag, begun;

static void *stores(void *arg) {
  atomic_store(&same, 2);
  return arg;
}

#ifdef JOINED
static void *stores_after(void *first) {
  pthread_join(*(pthread_t *)first, 0);
  return stores(first);
}

static void *begins(void *arg) {
  pthread_t first, second;
  pthread_create(&first, 0, stores, 0);
  pthread_create(&second, 0, stores_after, &first);
  pthread_join(second, 0);
  atomic_store(&flag, 1);
  return arg;
}

static void *fails(void *arg) {
  int expected = 1;
  if (!atomic_compare_exchange_strong(&flag, &expected, 2))
    assert(expected != 3); //~[joined] assertion
  return arg;
}

static void *looks(void *arg) {
  int expected = 1;
  if (atomic_compare_exchange_strong(&flag, &expected, 3))
    (void)atomic_load(&same);
  return arg;
}
#else
static void *begins(void *arg) {
  atomic_store(&same, 2);
  atomic_store(&begun, 1);
  return arg;
}

static void *fails(void *arg) {
  if (atomic_load(&begun) && atomic_exchange(&flag, 1) == 1)
    assert(0); //~[stored] assertion
  return arg;
}

static void *looks(void *arg) {
  if (atomic_load(&begun)) {
    atomic_store(&flag, 1);
    (void)atomic_load(&same);
  }
  return arg;
}
#endif

int main(void) {
  pthread_t t;
#ifndef JOINED
  pthread_create(&t, 0, stores, 0);
#endif
  pthread_create(&t, 0, begins, 0);
  pthread_create(&t, 0, fails, 0);
  pthread_create(&t, 0, looks, 0);
  return 0;
}
