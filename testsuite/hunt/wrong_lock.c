//@ revisions: n3 n8 same
//@[n3 n8] verdict: unsafe(assertion)
//@[n3] cflags: -DN=3
//@[n3] samples: 20
//@[n8] cflags: -DN=8
//@[n8] samples: 20
//@[same] verdict: safe
//@[same] cflags: -DN=3 -DSAME
//@[same] executions: 6
//@ source: 3! orders of three critical sections
// After the family "wronglock": one thread guards the data by another lock than the others do.
#include "threads_of.h"
#include <assert.h>
#include <stdatomic.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static atomic_int data;

static void *adder(void *arg) {
  pthread_mutex_lock(&lock);
  data = data + 1;
  pthread_mutex_unlock(&lock);
  return arg;
}

static void *checker(void *arg) {
#ifdef SAME
  pthread_mutex_lock(&lock);
#else
  pthread_mutex_lock(&other);
#endif
  int before = data;
  data = before + 1;
  assert(data == before + 1); //~[n3 n8] assertion
#ifdef SAME
  pthread_mutex_unlock(&lock);
#else
  pthread_mutex_unlock(&other);
#endif
  return arg;
}

int main(void) {
  run_many(N - 1, adder, 1, (routine *const[]){checker});
  (void)other;
  return 0;
}
