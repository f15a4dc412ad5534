//@ revisions: two_locks one_lock
//@[two_locks] verdict: unsafe(assertion)
//@[one_lock] verdict: safe
//@[one_lock] cflags: -DONE
//@[one_lock] executions: 2
//@[one_lock] native: run
//@ source: one section each: the reader comes before or behind the writer
// The second value is computed from the first in a section of its own; a reader may come in between.
#include "../threads.h"
#include <assert.h>
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int data1, data2;

static void *writer(void *arg) {
  pthread_mutex_lock(&first);
  data1 = 1;
#ifndef ONE
  pthread_mutex_unlock(&first);
#endif
  pthread_mutex_lock(&second);
  data2 = 2; // computed from data1
  pthread_mutex_unlock(&second);
#ifdef ONE
  pthread_mutex_unlock(&first);
#endif
  return arg;
}

static void *reader(void *arg) {
  pthread_mutex_lock(&first);
  int t1 = data1;
#ifndef ONE
  pthread_mutex_unlock(&first);
#endif
  pthread_mutex_lock(&second);
  int t2 = data2;
  pthread_mutex_unlock(&second);
#ifdef ONE
  pthread_mutex_unlock(&first);
#endif
  assert(t1 == 0 || t2 == t1 + 1); //~[two_locks] assertion
  return arg;
}

int main(void) {
  run_all(2, (routine *const[]){writer, reader});
  return 0;
}
