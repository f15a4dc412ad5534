//@ revisions: right once one_condition
//@ verdict: safe
//@[once] verdict: unsafe(assertion)
//@[once] cflags: -DCHECK=if
//@[one_condition] verdict: unsafe(deadlock)
//@[one_condition] cflags: -DGOODS=0
//@ source: a monitor from the textbooks; PRODCONS in table 2 of unfolding-based POR, 2015
//@ orders: 3
//@ cutoffs: needed
// Two producers and a consumer share a place. A producer that does not look again finds it taken by the other one; and
// if both kinds wait for the same condition, the signal for the consumer may wake a producer.
#include "../threads.h"
#include <assert.h>
#ifndef CHECK
#define CHECK while
#endif
#define ROOM 0
#ifndef GOODS
#define GOODS 1
#endif
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition[2] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static int stored;

static void *producer(void *arg) {
  while (1) {
    pthread_mutex_lock(&m);
    CHECK (stored == 1)
      pthread_cond_wait(&condition[ROOM], &m); //~[one_condition] deadlock
    stored++;
    assert(stored == 1); //~[once] assertion
    pthread_cond_signal(&condition[GOODS]);
    pthread_mutex_unlock(&m);
  }
}

static void *consumer(void *arg) {
  while (1) {
    pthread_mutex_lock(&m);
    CHECK (stored == 0)
      pthread_cond_wait(&condition[GOODS], &m); //~[one_condition] deadlock
    stored--;
    assert(stored == 0);
    pthread_cond_signal(&condition[ROOM]);
    pthread_mutex_unlock(&m);
  }
}

int main(void) {
  run_all(3, (routine *[]){producer, producer, consumer});
  return 0;
}
