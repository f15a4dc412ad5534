//@ revisions: while_ if_ one_signal
//@[while_] verdict: safe
//@[while_] native: run
//@[if_] verdict: unsafe(assertion)
//@[if_] cflags: -DWAIT=if
//@[one_signal] verdict: unsafe(deadlock)
//@[one_signal] cflags: -DONE_CONDITION
//@ naive: no
//@ source: known mistakes: whoever is woken must look again; one condition for two reasons wakes the wrong one
// A buffer with one place, a producer of two numbers, two consumers of one each. With `if` a consumer that comes in between takes
// what the woken one was woken for. With one condition variable a signal for the producer can go to the other consumer.
#include "../threads.h"
#include <assert.h>
#ifndef WAIT
#define WAIT while
#endif
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
#ifdef ONE_CONDITION
#define emptied filled
#else
static pthread_cond_t emptied = PTHREAD_COND_INITIALIZER;
#endif
static int count, place, sum;

static void *producer(void *arg) {
  (void)arg;
  for (int n = 1; n <= 2; n++) {
    pthread_mutex_lock(&m);
    while (count == 1)
      pthread_cond_wait(&emptied, &m); //~[one_signal] deadlock
    place = n;
    count++;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&m);
  }
  return 0;
}

static void *consumer(void *arg) {
  (void)arg;
  pthread_mutex_lock(&m);
  WAIT(count == 0)
    pthread_cond_wait(&filled, &m);
  assert(count == 1); //~[if_] assertion
  count--;
  sum += place;
  pthread_cond_signal(&emptied);
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  run_all(3, (routine *const[]){producer, consumer, consumer});
  assert(sum == 3 && count == 0);
  return 0;
}
