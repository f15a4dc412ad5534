// What tasks of the competition declare.
#include <pthread.h>

extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static void reach_error(void) {}

static void check(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

static void assume_abort_if_not(int condition) {
  if (!condition)
    abort();
}

static pthread_t start(void *(*routine)(void *), void *argument) {
  pthread_t thread;
  pthread_create(&thread, 0, routine, argument);
  return thread;
}

static void join(pthread_t thread) { pthread_join(thread, 0); }
