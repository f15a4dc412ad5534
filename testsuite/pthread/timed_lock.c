//@ verdict: safe
//@ native: run
//@ revisions: mutex clock c11 errorcheck
//@[mutex] cflags: -DLOCK=pthread_mutex_timedlock(&mutex,&soon)
//@[mutex] executions: 3
//@[clock] cflags: -DLOCK=pthread_mutex_clocklock(&mutex,CLOCK_MONOTONIC,&soon) -D_GNU_SOURCE
//@[clock] executions: 3
//@[c11] cflags: -DC11
//@[c11] executions: 3
//@[errorcheck] cflags: -DALONE
//@[errorcheck] executions: 1
//@ source: by hand: before the other thread has the mutex, while it has it, or afterwards; one thread alone
// A time that may be over.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <threads.h>
#include <time.h>

static int data;

#ifdef C11
static mtx_t mutex;
#define TIMED_OUT thrd_timedout
#define LOCK mtx_timedlock(&mutex, &soon)
#define HOLD mtx_lock(&mutex)
#define LEAVE mtx_unlock(&mutex)
#else
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
#define TIMED_OUT ETIMEDOUT
#define HOLD pthread_mutex_lock(&mutex)
#define LEAVE pthread_mutex_unlock(&mutex)
#endif

#ifdef ALONE
int main(void) {
  struct timespec past = {0, 0}, none = {0, 1000000000};
  pthread_mutex_lock(&mutex);
  assert(pthread_mutex_timedlock(&mutex, &past) == ETIMEDOUT);
  assert(pthread_mutex_timedlock(&mutex, &none) == EINVAL);
  pthread_mutex_unlock(&mutex);
  assert(pthread_mutex_timedlock(&mutex, &none) == 0);
  pthread_mutexattr_t attribute;
  pthread_mutexattr_init(&attribute);
  pthread_mutexattr_settype(&attribute, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_t checked;
  pthread_mutex_init(&checked, &attribute);
  assert(pthread_mutex_timedlock(&checked, &past) == 0);
  assert(pthread_mutex_timedlock(&checked, &past) == EDEADLK);
}
#else
static void *holder(void *arg) {
  HOLD;
  data++;
  LEAVE;
  return 0;
}

int main(void) {
  struct timespec soon = {1, 0};
  pthread_t thread;
#ifdef C11
  mtx_init(&mutex, mtx_timed);
#endif
  pthread_create(&thread, 0, holder, 0);
  int result = LOCK;
  assert(result == 0 || result == TIMED_OUT);
  if (result == 0) {
    data++;
    LEAVE;
  }
  pthread_join(thread, 0);
  assert(data == 1 + (result == 0));
}
#endif
