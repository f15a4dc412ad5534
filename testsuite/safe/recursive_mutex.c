//@ revisions: balanced once_too_often
//@[balanced] verdict: safe
//@[balanced] native: run
//@[balanced] cflags: -DUNLOCKS=3
//@[once_too_often] verdict: unsafe(assertion)
//@[once_too_often] cflags: -DUNLOCKS=4
// A recursive mutex tells who unlocks it too often (EPERM), so that is no misuse.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t m;

static void *stranger(void *arg) {
  assert(pthread_mutex_trylock(&m) == EBUSY);
  return 0;
}

int main(void) {
  pthread_mutexattr_t attr;
  pthread_t t;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&m, &attr);
  pthread_mutexattr_destroy(&attr);
  for (int i = 0; i < 3; i++)
    assert(pthread_mutex_lock(&m) == 0);
  pthread_create(&t, 0, stranger, 0);
  pthread_join(t, 0);
  for (int i = 0; i < UNLOCKS; i++) {
    int error = pthread_mutex_unlock(&m);
    assert(error == 0); //~[once_too_often] assertion
  }
  pthread_mutex_destroy(&m);
  return 0;
}
