//@ revisions: reached bound
//@ cflags: -DROUNDS=2
//@[reached] verdict: unsafe(assertion)
//@[reached] cflags: -DLIMIT=8
//@[bound] verdict: safe
//@[bound] cflags: -DLIMIT=9
//@ executions: 6
//@ orders: 2
//@ source: 4 sections of one lock, two for each thread: 4 over 2 orders. From 1, 1 taking turns gives 2, 3, 5, 8, the largest
// Two threads add each other's number to their own. Taking turns gives Fibonacci numbers, and nothing gives more: each sum takes at
// most the latest value of either.
#include "../threads.h"
#include <assert.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int number[2] = {1, 1};

static void *adds(void *arg) {
  long me = (long)arg;
  for (int n = 0; n < ROUNDS; n++) {
    pthread_mutex_lock(&m);
    number[me] += number[1 - me];
    pthread_mutex_unlock(&m);
  }
  return 0;
}

int main(void) {
  run_copies(2, adds);
  assert(number[0] < LIMIT && number[1] < LIMIT); //~[reached] assertion
  return 0;
}
