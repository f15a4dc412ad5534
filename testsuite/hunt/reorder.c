//@ revisions: n3 n10 n100 locked
//@[n3 n10 n100] verdict: unsafe(assertion)
//@[n3] cflags: -DN=3
//@[n3] samples: 6
//@[n10] cflags: -DN=10
//@[n10] samples: 6
//@[n100] cflags: -DN=100
//@[n100] samples: 6
//@[locked] verdict: safe
//@[locked] naive: no
//@[locked] cflags: -DN=4 -DLOCKED
//@[locked] executions: 24
//@ source: 4! orders of four critical sections
// After the family "reorder": N - 1 threads set two numbers, one after the other; one looks at both in between. Any order
// in which one of the first ones is interrupted will do, if none of the others has come so far.
#include "threads_of.h"
#include <assert.h>
#include <stdatomic.h>
static atomic_int a, b;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void enter(void) {
#ifdef LOCKED
  pthread_mutex_lock(&lock);
#endif
}

static void leave(void) {
#ifdef LOCKED
  pthread_mutex_unlock(&lock);
#endif
}

static void *setter(void *arg) {
  enter();
  a = 1;
  b = -1;
  leave();
  return arg;
}

static void *checker(void *arg) {
  enter();
  assert((a == 0 && b == 0) || (a == 1 && b == -1)); //~[n3 n10 n100] assertion
  leave();
  return arg;
}

int main(void) {
  run_many(N - 1, setter, 1, (routine *const[]){checker});
  (void)lock;
  return 0;
}
