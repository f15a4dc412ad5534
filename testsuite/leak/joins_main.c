//@ revisions: joined owner holds result freed
//@[joined owner holds result] verdict: unsafe(leak)
//@[owner] cflags: -DOWNER
//@[holds] cflags: -DHOLDS
//@[result] cflags: -DRESULT
//@[freed] verdict: safe
//@[freed] cflags: -DRESULT -DFREED
//@ source: nothing leads to the block when the last thread ends; by hand
// The main thread ends before the others. One of them joins it, or finds that it has ended with a robust mutex.
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_t first;
static pthread_mutex_t m;

static void *last(void *argument) {
#ifdef OWNER
  if (pthread_mutex_lock(&m) == EOWNERDEAD) argument = malloc(3); //~[owner] leak
#else
  void *result;
  pthread_join(first, &result);
#ifdef FREED
  free(result);
#endif
#endif
#if !defined OWNER && !defined HOLDS && !defined RESULT
  argument = malloc(3); //~[joined] leak
#endif
  return argument = NULL;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&m, &attributes);
#ifdef OWNER
  pthread_mutex_lock(&m);
#endif
#ifdef HOLDS
  void *block = malloc(3); //~[holds] leak
  block = NULL;
#endif
  first = pthread_self();
  pthread_t thread;
  pthread_create(&thread, NULL, last, NULL);
#ifdef RESULT
  pthread_exit(malloc(3)); //~[result] leak
#endif
  pthread_exit(NULL);
}
