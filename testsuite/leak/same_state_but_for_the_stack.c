//@ revisions: lost kept
//@[lost] verdict: unsafe(leak)
//@[kept] verdict: safe
//@[kept] cflags: -DKEEP
//@ source: main ends the process in one of two functions, which differ in what they hold
// Where a thread ended the process is a part of the state: in one of two places it still holds the block.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int early;

static void *worker(void *arg) {
  (void)arg;
  early = 1;
  early = 0;
  return 0;
}

static int *shared, *sink;

static void leave(void) { exit(0); }

static void end_with_it(void) {
  int *mine = shared;
  shared = 0;
  leave();
  sink = mine;
}

static void end_without(void) {
  shared = 0;
  leave();
}

static void make(void) {
  shared = malloc(sizeof *shared); //~[lost] leak
}

int main(void) {
  pthread_t t;
  make();
  pthread_create(&t, 0, worker, 0);
#ifdef KEEP
  early ? end_with_it() : end_with_it();
  (void)end_without;
#else
  early ? end_with_it() : end_without();
#endif
}
