//@ revisions: good bad
//@[good] verdict: safe
//@[good] executions: 2
//@[good] source: the flag's section first: no wait; the consumer's first: it waits and is woken
//@[bad] verdict: unsafe(deadlock)
//@[bad] cflags: -DBAD
//@[bad] executions: 4
//@[bad] source: flag first: no wait; consumer first: signal before the wait (lost), or it wakes, then flag before or after the re-check
//@ orders: 2
#include "../threads.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int flag;

static void *consumer(void *arg) {
  pthread_mutex_lock(&m);
  while (!flag)
    pthread_cond_wait(&c, &m); //~[bad] deadlock
  pthread_mutex_unlock(&m);
  return 0;
}

static void *producer(void *arg) {
#ifdef BAD
  pthread_cond_signal(&c);
#endif
  pthread_mutex_lock(&m);
  flag = 1;
  pthread_mutex_unlock(&m);
#ifndef BAD
  pthread_cond_signal(&c);
#endif
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){consumer, producer});
  return 0;
}
