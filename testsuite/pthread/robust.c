//@ verdict: safe
//@ native: run
//@ revisions: mended lost alone
//@[mended] executions: 2
//@[lost] cflags: -DLOST
//@[lost] executions: 2
//@[alone] cflags: -DALONE
//@[alone] executions: 1
//@ source: by hand: main has the mutex before the thread that ends with it, or afterwards; alone, there is one thread
// A robust mutex whose holder has ended: whoever locks it next is told, and makes things consistent or not.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static int half_done;

static void *dies(void *arg) {
  int error = pthread_mutex_lock(&mutex);
  assert(error == 0);
  half_done = 1;
  return 0;
}

int main(void) {
  pthread_mutexattr_t attribute;
  int robust;
  pthread_mutexattr_init(&attribute);
  assert(pthread_mutexattr_setrobust(&attribute, PTHREAD_MUTEX_ROBUST) == 0);
  assert(pthread_mutexattr_getrobust(&attribute, &robust) == 0 && robust == PTHREAD_MUTEX_ROBUST);
  assert(pthread_mutexattr_setprotocol(&attribute, PTHREAD_PRIO_INHERIT) == 0);
  pthread_mutex_init(&mutex, &attribute);
  assert(pthread_mutex_unlock(&mutex) == EPERM);
  assert(pthread_mutex_consistent(&mutex) == EINVAL);
#ifdef ALONE
  return 0;
#endif
  pthread_t thread;
  pthread_create(&thread, 0, dies, 0);
  int error = pthread_mutex_lock(&mutex);
  assert(error == 0 || error == EOWNERDEAD);
  assert(half_done == (error == EOWNERDEAD));
  if (error == EOWNERDEAD) {
#ifndef LOST
    half_done = 0;
    assert(pthread_mutex_consistent(&mutex) == 0);
    assert(pthread_mutex_consistent(&mutex) == EINVAL);
#endif
    pthread_mutex_unlock(&mutex);
#ifdef LOST
    assert(pthread_mutex_lock(&mutex) == ENOTRECOVERABLE);
    assert(pthread_mutex_trylock(&mutex) == ENOTRECOVERABLE);
#else
    assert(pthread_mutex_trylock(&mutex) == 0);
    pthread_mutex_unlock(&mutex);
#endif
    assert(pthread_mutex_destroy(&mutex) == 0);
  } else {
    pthread_mutex_unlock(&mutex);
  }
  pthread_join(thread, 0);
}
