//@ revisions: one two
//@[one] verdict: unsafe(deadlock)
//@[one] samples: 15
//@[two] verdict: safe
//@[two] cflags: -DTWO
//@[two] naive: no
// After the family "bounded buffer": producers and consumers wait on one condition variable, and a signal may wake one of
// those that it is not meant for, after which everybody waits. Two condition variables are right.
#include "threads_of.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
#ifdef TWO
static pthread_cond_t emptied = PTHREAD_COND_INITIALIZER;
#else
#define emptied changed
#endif
static int items; // there is room for one

static void *producer(void *arg) {
  pthread_mutex_lock(&lock);
  while (items == 1)
    pthread_cond_wait(&emptied, &lock); //~[one] deadlock
  items = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return arg;
}

static void *consumer(void *arg) {
  pthread_mutex_lock(&lock);
  while (items == 0)
    pthread_cond_wait(&changed, &lock); //~[one] deadlock
  items = 0;
  pthread_cond_signal(&emptied);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  run_many(0, 0, 4, (routine *const[]){consumer, consumer, producer, producer});
  return 0;
}
