//@ revisions: two meanwhile before joined detached elsewhere
//@ verdict: unsafe(assertion)
//@[meanwhile] cflags: -DMEANWHILE
//@[meanwhile] verdict: unknown(while another one ends it)
//@[meanwhile] naive: no
//@[before] cflags: -DBEFORE
//@[before] verdict: safe
//@[joined] cflags: -DJOINED
//@[joined] verdict: safe
//@[detached] cflags: -DDETACHED
//@[elsewhere] cflags: -DELSEWHERE
//@[detached elsewhere] verdict: unknown(while another one ends it)
//@[detached elsewhere] naive: no
//@ source: C11 7.22.4.2, 7.22.4.4: functions run in reverse order of registration, and threads register in any order
// Who registers first decides which function runs last. MEANWHILE, DETACHED, ELSEWHERE: somebody ends the process
// beside that, which is not explored.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int first;

static void one(void) { first = 1; }
static void two(void) {
  assert(first == 0); //~[two] assertion
}

static void *register_one(void *unused) {
  atexit(one);
  return 0;
}

static void *register_two(void *unused) {
#if defined MEANWHILE || defined BEFORE
  exit(0);
#endif
  atexit(two);
  return 0;
}

static void *join(void *thread) {
  pthread_join(*(pthread_t *)thread, 0);
  return 0;
}

static void *nothing(void *unused) { return 0; }

static pthread_t threads[3];

int main(void) {
#if defined DETACHED || defined ELSEWHERE
  // While main waits for another thread, the first one registers, perhaps.
  pthread_create(&threads[0], 0, register_one, 0);
#ifdef DETACHED
  pthread_detach(threads[0]);
#else
  pthread_create(&threads[1], 0, join, &threads[0]);
#endif
  pthread_create(&threads[2], 0, nothing, 0);
  pthread_join(threads[2], 0);
  return 0;
#endif
#ifdef BEFORE
  atexit(one);
  pthread_create(&threads[0], 0, register_two, 0);
  pthread_join(threads[0], 0);
#else
  pthread_create(&threads[0], 0, register_one, 0);
#ifdef JOINED
  pthread_join(threads[0], 0);
#endif
  pthread_create(&threads[1], 0, register_two, 0);
#ifndef JOINED
  pthread_join(threads[0], 0);
#endif
  pthread_join(threads[1], 0);
#endif
  return 0;
}
