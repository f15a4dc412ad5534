//@ revisions: kept lost waits
//@[kept] verdict: safe
//@[kept] cflags: -DEND=0
//@[lost] verdict: unsafe(leak)
//@[lost] cflags: -DEND=(shared=0)
//@[waits] verdict: unsafe(deadlock)
//@[waits] cflags: -DEND=(shared=0,hang())
//@ executions: 1
//@ source: main ends by pthread_exit before the thread looks at what it left
// After pthread_exit in main the process ends with its last thread. If that never ends, no block is lost at the end.
#include <pthread.h>
#include <stdlib.h>
static int *shared;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int *hang(void) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m); //~[waits] deadlock
  return 0;
}

static void *worker(void *arg) {
  (void)arg;
  shared = malloc(sizeof *shared); //~[lost] leak
  (void)(END);
  (void)hang;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_detach(t);
  pthread_exit(0);
}
