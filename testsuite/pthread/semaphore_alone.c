//@ verdict: safe
//@ executions: 1
//@ native: run
//@ source: by hand: one thread
// Values, errors, and what is initialised again.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <semaphore.h>
#include <time.h>

int main(void) {
  sem_t semaphore;
  int value;
  assert(sem_init(&semaphore, 0, (unsigned)INT_MAX + 1) == -1 && errno == EINVAL);
  assert(sem_init(&semaphore, 1, 2) == 0);
  assert(sem_getvalue(&semaphore, &value) == 0 && value == 2);
  assert(sem_wait(&semaphore) == 0 && sem_trywait(&semaphore) == 0);
  errno = 0;
  assert(sem_trywait(&semaphore) == -1 && errno == EAGAIN);
  struct timespec past = {0, 0}, none = {0, -1};
  assert(sem_timedwait(&semaphore, &past) == -1 && errno == ETIMEDOUT);
  assert(sem_timedwait(&semaphore, &none) == -1 && errno == EINVAL);
  assert(sem_destroy(&semaphore) == 0);

  assert(sem_init(&semaphore, 0, INT_MAX) == 0);
  assert(sem_post(&semaphore) == -1 && errno == EOVERFLOW);
  assert(sem_wait(&semaphore) == 0 && sem_post(&semaphore) == 0);
  sem_destroy(&semaphore);
}
