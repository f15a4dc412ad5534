//@ revisions: plain atomic mutex condition join barrier plain_done atomic_done mutex_done condition_done join_done barrier_done
//@ verdict: unknown(mystery)
//@ args: --check assertion,memory,deadlock,livelock,endless-loop,leak
//@[plain] cflags: -DGAP -DPLAIN
//@[atomic] cflags: -DGAP -DATOMIC
//@[mutex] cflags: -DGAP -DMUTEX
//@[condition] cflags: -DGAP -DCONDITION
//@[join] cflags: -DGAP
//@[barrier] cflags: -DGAP -DBARRIER
//@[plain_done atomic_done mutex_done condition_done join_done barrier_done] verdict: safe
//@[plain_done] cflags: -DPLAIN
//@[atomic_done] cflags: -DATOMIC
//@[mutex_done] cflags: -DMUTEX
//@[condition_done] cflags: -DCONDITION
//@[barrier_done] cflags: -DBARRIER
//@[plain plain_done atomic atomic_done] cutoffs: needed
// A thread comes to a call that is not modelled and stays there. That others wait for it for ever, or that what it
// would free is still there, is no violation: the call may return.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
extern void mystery(void);
static int *block, ready;
static atomic_int flag;
static volatile int plain;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;

static void *helper(void *arg) {
  pthread_mutex_lock(&mutex);
#ifdef GAP
  mystery();
#endif
  ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  free(block);
#ifdef PLAIN
  plain = 1;
#endif
  flag = 1;
#ifdef BARRIER
  pthread_barrier_wait(&barrier);
#endif
  return 0;
}

int main(void) {
  pthread_t thread;
  block = malloc(4);
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&thread, 0, helper, 0);
#ifdef PLAIN
  while (!plain) {
  }
#elif defined ATOMIC
  while (!flag) {
  }
#elif defined MUTEX
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
#elif defined CONDITION
  pthread_mutex_lock(&mutex);
  while (!ready)
    pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
#elif defined BARRIER
  pthread_barrier_wait(&barrier);
#endif
  pthread_join(thread, 0);
  return 0;
}
