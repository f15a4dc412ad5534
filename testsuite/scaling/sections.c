//@ verdict: safe
//@ revisions: n1 n2 n3 n4 n5
//@[n1] cflags: -DN=1
//@[n1] executions: 2
//@[n2] cflags: -DN=2
//@[n2] executions: 6
//@[n3] cflags: -DN=3
//@[n3] executions: 20
//@[n4] cflags: -DN=4
//@[n4] executions: 70
//@[n5] cflags: -DN=5
//@[n5] executions: 252
//@[n4 n5] naive: no
//@ source: C(2n,n), the merges of two sequences of n critical sections
//@ orders: 2
//@ native: run
#include "../threads.h"
#include <assert.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *sections(void *arg) {
  for (int i = 0; i < N; i++) {
    pthread_mutex_lock(&m);
    counter++;
    pthread_mutex_unlock(&m);
  }
  return 0;
}

int main(void) {
  run_copies(2, sections);
  assert(counter == 2 * N);
  return 0;
}
