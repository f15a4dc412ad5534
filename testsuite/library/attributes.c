//@ verdict: safe
//@ native: run
//@ revisions: m64 m32
//@[m32] cflags: -m32
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static void *nothing(void *argument) { return argument; }

int main(void) {
  pthread_attr_t attributes;
  int state;
  size_t size;
  assert(pthread_attr_init(&attributes) == 0);
  assert(pthread_attr_getdetachstate(&attributes, &state) == 0 && state == PTHREAD_CREATE_JOINABLE);
  assert(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED) == 0);
  assert(pthread_attr_getdetachstate(&attributes, &state) == 0 && state == PTHREAD_CREATE_DETACHED);
  assert(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_JOINABLE) == 0);
  assert(pthread_attr_setstacksize(&attributes, 1) == EINVAL);
  assert(pthread_attr_setstacksize(&attributes, 1 << 20) == 0);
  assert(pthread_attr_getstacksize(&attributes, &size) == 0 && size == 1 << 20);
  pthread_t thread;
  void *result;
  assert(pthread_create(&thread, &attributes, nothing, &state) == 0);
  assert(pthread_attr_destroy(&attributes) == 0);
  assert(pthread_join(thread, &result) == 0 && result == &state);

  pthread_mutexattr_t kind;
  pthread_mutex_t mutex;
  assert(pthread_mutexattr_init(&kind) == 0);
  assert(pthread_mutexattr_gettype(&kind, &state) == 0 && state == PTHREAD_MUTEX_DEFAULT);
  assert(pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE) == 0);
  assert(pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED) == 0);
  assert(pthread_mutexattr_gettype(&kind, &state) == 0 && state == PTHREAD_MUTEX_RECURSIVE);
  assert(pthread_mutex_init(&mutex, &kind) == 0);
  assert(pthread_mutexattr_destroy(&kind) == 0);
  assert(pthread_mutex_lock(&mutex) == 0 && pthread_mutex_trylock(&mutex) == 0);
  assert(pthread_mutex_unlock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0);
  assert(pthread_mutex_destroy(&mutex) == 0);

  pthread_condattr_t clock;
  clockid_t id;
  pthread_cond_t condition;
  assert(pthread_condattr_init(&clock) == 0);
  assert(pthread_condattr_setclock(&clock, CLOCK_MONOTONIC) == 0);
  assert(pthread_condattr_getclock(&clock, &id) == 0 && id == CLOCK_MONOTONIC);
  assert(pthread_cond_init(&condition, &clock) == 0);
  assert(pthread_condattr_destroy(&clock) == 0);
  assert(pthread_cond_signal(&condition) == 0 && pthread_cond_broadcast(&condition) == 0);
  assert(pthread_cond_destroy(&condition) == 0);
  return 0;
}
