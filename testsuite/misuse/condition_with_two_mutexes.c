//@ revisions: timed timed32 cancelled same in_turn
//@[timed timed32 cancelled] verdict: unsafe(misuse)
//@[same in_turn] verdict: safe
//@[timed timed32] cflags: -DWAIT=pthread_cond_timedwait(&changed,mutex,&soon)
//@[timed32] args: -m32
//@[cancelled] cflags: -DCANCEL
//@[same] cflags: -DSAME -DWAIT=pthread_cond_timedwait(&changed,mutex,&soon)
//@[in_turn] cflags: -DIN_TURN -DWAIT=pthread_cond_timedwait(&changed,mutex,&soon)
// Two threads wait on one condition variable with two mutexes, each for itself until its time is over, it is cancelled or
// woken. Nothing orders the two, so they wait at once in some schedules: that is undefined (POSIX, pthread_cond_wait).
// SAME: with one mutex. IN_TURN: one begins after the other has ended.
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>
#ifndef WAIT
#define WAIT pthread_cond_wait(&changed, mutex)
#endif

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static const struct timespec soon = {1, 0};

static void leave(void *mutex) {
  pthread_mutex_unlock(mutex);
}

static void *waits(void *argument) {
  pthread_mutex_t *mutex = argument;
  pthread_mutex_lock(mutex);
  pthread_cleanup_push(leave, mutex);
  WAIT; //~[timed timed32 cancelled] misuse
  pthread_cleanup_pop(1);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, waits, &one);
#ifdef IN_TURN
  pthread_join(first, 0);
#endif
#ifdef SAME
  pthread_create(&second, 0, waits, &one);
#else
  pthread_create(&second, 0, waits, &other);
#endif
#ifdef CANCEL
  pthread_cancel(first);
  pthread_cancel(second);
#endif
#ifndef IN_TURN
  pthread_join(first, 0);
#endif
  pthread_join(second, 0);
  return 0;
}
