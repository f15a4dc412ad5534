//@ verdict: safe
//@ revisions: all order race
//@ slow: states
//@[all order] executions: 5040
//@[order] cflags: -DPAIR
//@[order] verdict: unsafe(assertion)
//@[race] cflags: -DRACE
//@[race] verdict: unsafe(data-race)
//@ naive: no
//@ source: 7!, the orders of the sections
// Many orders lead to the same states. What is wrong is wrong in few of them.
#include "../threads.h"
#include <assert.h>
#define N 7
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long last, before;
static int late;

static void *section(void *arg) {
  long me = 1 + (long)arg;
  pthread_mutex_lock(&m);
#ifdef RACE
  if (me == 2 && last == 5)
    late++; //~[race] data-race
#endif
  before = last;
  last = me;
  pthread_mutex_unlock(&m);
#ifdef RACE
  if (me == 5)
    late = 1;
#endif
  return 0;
}

int main(void) {
  run_copies(N, section);
#ifdef PAIR
  assert(last != 6 || before != 3); //~[order] assertion
#endif
  return late < 0;
}
