//@ revisions: n3 n20 n100 held
//@[n3 n20 n100] verdict: unsafe(assertion)
//@[n3] cflags: -DN=3
//@[n3] samples: 10
//@[n20] cflags: -DN=20
//@[n20] samples: 10
//@[n100] cflags: -DN=100
//@[n100] samples: 10
//@[held] verdict: safe
//@[held] naive: no
//@[held] cflags: -DN=4 -DHELD
//@[held] executions: 24
//@ source: 4! orders of four critical sections of the outer lock
// After the family "twostage": N - 1 threads work in two stages, each with a lock of its own; the second value follows from the
// first. One thread looks at both.
#include "threads_of.h"
#include <assert.h>
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int data1, data2;

static void between(void) {
#ifndef HELD
  pthread_mutex_unlock(&first);
#endif
}

static void at_last(void) {
#ifdef HELD
  pthread_mutex_unlock(&first);
#endif
}

static void *worker(void *arg) {
  pthread_mutex_lock(&first);
  data1 = 1;
  int seen = data1;
  between();
  pthread_mutex_lock(&second);
  data2 = seen + 1;
  pthread_mutex_unlock(&second);
  at_last();
  return arg;
}

static void *checker(void *arg) {
  pthread_mutex_lock(&first);
  int t1 = data1;
  between();
  pthread_mutex_lock(&second);
  int t2 = data2;
  pthread_mutex_unlock(&second);
  at_last();
  assert(t1 == 0 || t2 == t1 + 1); //~[n3 n20 n100] assertion
  return arg;
}

int main(void) {
  run_many(N - 1, worker, 1, (routine *const[]){checker});
  return 0;
}
