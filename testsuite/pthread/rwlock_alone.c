//@ verdict: safe
//@ executions: 1
//@ native: run
//@ source: by hand: one thread
// What one thread finds: readers may come again, a writer nobody; attributes; times that are none.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

int main(void) {
  pthread_rwlockattr_t attribute;
  int value;
  assert(pthread_rwlockattr_init(&attribute) == 0);
  assert(pthread_rwlockattr_setpshared(&attribute, PTHREAD_PROCESS_SHARED) == 0);
  assert(pthread_rwlockattr_getpshared(&attribute, &value) == 0 && value == PTHREAD_PROCESS_SHARED);
  assert(pthread_rwlockattr_setpshared(&attribute, 7) == EINVAL);
  pthread_rwlock_t lock;
  assert(pthread_rwlock_init(&lock, &attribute) == 0);
  assert(pthread_rwlockattr_destroy(&attribute) == 0);
  struct timespec none = {0, 1000000000}, past = {0, 0};

  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_rdlock(&lock);
  assert(pthread_rwlock_tryrdlock(&lock) == 0);
  assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
  assert(pthread_rwlock_timedwrlock(&lock, &past) == ETIMEDOUT);
  assert(pthread_rwlock_timedwrlock(&lock, &none) == EINVAL);
  assert(pthread_rwlock_timedrdlock(&lock, &past) == 0);
  for (int i = 0; i < 4; i++)
    assert(pthread_rwlock_unlock(&lock) == 0);

  assert(pthread_rwlock_timedwrlock(&lock, &none) == EINVAL);
  assert(pthread_rwlock_timedwrlock(&lock, &past) == 0);
  assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
  assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
  pthread_rwlock_unlock(&lock);
  assert(pthread_rwlock_destroy(&lock) == 0);
  assert(pthread_rwlock_init(&lock, 0) == 0);
  pthread_rwlock_destroy(&lock);
}
