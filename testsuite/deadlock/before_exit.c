//@ revisions: circle ended two_exits assumed patient
//@ verdict: unsafe(deadlock)
//@[circle] cflags: -DFIRST=two -DSECOND=one
//@[circle] executions: 3
//@[ended] cflags: -DFIRST=left_locked -DSECOND=wait_for_it
//@[two_exits] cflags: -DFIRST=left_locked -DSECOND=wait_for_it -DTHIRD=exits
//@[assumed] cflags: -DFIRST=two -DSECOND=one -DTHIRD=assumes
//@[patient] verdict: safe
//@[patient] cflags: -DFIRST=wait_for_it -DSECOND=wait_for_word
//@ source: by hand: AB/BA locking has 3 executions; a mutex that nobody is left to unlock
//@ orders: 2
// Threads that wait for one another never go on, even if main, which does not wait for them, ends the process, or two do,
// or an assumption fails later. That one waits for what might still come is no deadlock then.
#include "../threads.h"
#include <stdlib.h>
extern void __VERIFIER_assume(int);
#ifndef THIRD
#define THIRD nothing
#endif
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t word = PTHREAD_COND_INITIALIZER;

static void *one(void *arg) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b); //~[circle assumed] deadlock
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return 0;
}

static void *two(void *arg) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a); //~[circle assumed] deadlock
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return 0;
}

static void *left_locked(void *arg) {
  pthread_mutex_lock(&a);
  return 0;
}

static void *wait_for_it(void *arg) {
  pthread_mutex_lock(&a); //~[ended two_exits] deadlock
  pthread_mutex_unlock(&a);
  return 0;
}

static void *wait_for_word(void *arg) {
  pthread_mutex_lock(&a);
  pthread_cond_wait(&word, &a);
  pthread_mutex_unlock(&a);
  return 0;
}

static void *nothing(void *arg) { return 0; }

static void *exits(void *arg) { exit(0); }

static void *assumes(void *arg) {
  __VERIFIER_assume(0);
  return 0;
}

int main(void) {
  start_all(3, (routine *[]){FIRST, SECOND, THIRD});
  exit(0);
}
