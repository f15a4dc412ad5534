//@ revisions: right countless once
//@ verdict: safe
//@[countless] verdict: unsafe(deadlock)
//@[countless] cflags: -DNOT_YET=(arrived!=0)
//@[once] verdict: unsafe(assertion)
//@[once] cflags: -DONCE -DSHARED=atomic_int
//@ source: a monitor from the textbooks
//@ orders: 2
//@ cutoffs: needed
// A barrier that is used again and again. Who waits for a number that the next round changes may miss the moment; and
// without a second barrier one thread is a step ahead before the other has looked.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
#ifndef SHARED
#define SHARED int
#endif
#ifndef NOT_YET
#define NOT_YET (round == mine)
#endif
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
static int arrived, round;
static SHARED step[2];

static void meet(void) {
  pthread_mutex_lock(&m);
  int mine = round;
  if (++arrived == 2) {
    arrived = 0;
    round = !mine;
    pthread_cond_broadcast(&all_here);
  }
  while (NOT_YET)
    pthread_cond_wait(&all_here, &m); //~[countless] deadlock
  pthread_mutex_unlock(&m);
}

static void *worker(void *arg) {
  long me = (long)arg, other = 1 - me;
  int now = 0;
  while (1) {
    now = !now;
    step[me] = now;
    meet();
    assert(step[other] == now); //~[once] assertion
#ifndef ONCE
    meet();
#endif
  }
}

int main(void) {
  run_copies(2, worker);
  return 0;
}
