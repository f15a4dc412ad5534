//@ revisions: looks_again trusts
//@[looks_again] verdict: safe
//@[looks_again] executions: 4
//@[trusts] verdict: unsafe(assertion)
//@[trusts] cflags: -DTRUST
//@ source: by hand: between the lock for reading and that for writing another thread may have filled the cache; both read first, and then lock for writing in two orders, or one of them is through before the other one comes
// A cache behind a reader-writer lock, filled by who finds it empty.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value, computed;

static int look_up(void) {
  pthread_rwlock_rdlock(&lock);
  int found = value;
  pthread_rwlock_unlock(&lock);
  if (found) return found;
  pthread_rwlock_wrlock(&lock);
#ifndef TRUST
  if (!value)
#endif
  {
    computed++;
    value = 42;
  }
  found = value;
  pthread_rwlock_unlock(&lock);
  return found;
}

static void *user(void *arg) {
  assert(look_up() == 42);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, user, 0);
  pthread_create(&b, 0, user, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(computed == 1); //~[trusts] assertion
}
