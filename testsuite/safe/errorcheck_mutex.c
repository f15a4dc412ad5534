//@ verdict: safe
//@ native: run
// A mutex of kind errorcheck returns errors: relocking, unlocking a free one, unlocking a stranger's.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

static void *stranger(void *arg) {
  assert(pthread_mutex_unlock(&m) == EPERM);
  assert(pthread_mutex_trylock(&m) == EBUSY);
  return 0;
}

int main(void) {
  pthread_t t;
  assert(pthread_mutex_unlock(&m) == EPERM);
  assert(pthread_mutex_lock(&m) == 0);
  assert(pthread_mutex_lock(&m) == EDEADLK);
  pthread_create(&t, 0, stranger, 0);
  pthread_join(t, 0);
  assert(pthread_mutex_unlock(&m) == 0);
  return 0;
}
