//@ verdict: safe
//@ native: run
//@ revisions: read write readers timed
//@[read] cflags: -DHOLD=pthread_rwlock_wrlock -DTRY=pthread_rwlock_tryrdlock(&lock) -DBUSY=EBUSY
//@[read] executions: 3
//@[write] cflags: -DHOLD=pthread_rwlock_rdlock -DTRY=pthread_rwlock_trywrlock(&lock) -DBUSY=EBUSY
//@[write] executions: 3
//@[readers] cflags: -DHOLD=pthread_rwlock_rdlock -DTRY=pthread_rwlock_tryrdlock(&lock) -DBUSY=0
//@[readers] executions: 1
//@[timed] cflags: -DHOLD=pthread_rwlock_rdlock -DTRY=pthread_rwlock_timedwrlock(&lock,&soon) -DBUSY=ETIMEDOUT
//@[timed] executions: 3
//@ source: by hand: the attempt comes before the other thread has the lock, while it has it, or afterwards; readers do not depend on one another
// A lock that cannot be had at once, or in time, is not had.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock;
static const struct timespec soon = {1, 0};

static void *holder(void *arg) {
  HOLD(&lock);
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_rwlock_init(&lock, 0);
  pthread_create(&thread, 0, holder, 0);
  int error = TRY;
  assert(error == 0 || error == BUSY);
  if (error == 0)
    pthread_rwlock_unlock(&lock);
  pthread_join(thread, 0);
}
