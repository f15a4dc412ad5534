//@ verdict: safe
//@ native: run
//@ revisions: n2 n3 twice c11
//@[n2] cflags: -DN=2
//@[n2] executions: 2
//@[n3] cflags: -DN=3
//@[n3] executions: 3
//@[twice] cflags: -DN=3 -DTWICE
//@[twice] executions: 3
//@[c11] cflags: -DN=3 -DC11
//@[c11] executions: 3
//@ source: by hand: one of n threads calls the routine, and for the others nothing depends on their order
// Everybody finds what the routine has made.
#include <assert.h>
#include <pthread.h>
#ifdef C11
#include <threads.h>
static once_flag control = ONCE_FLAG_INIT;
#define ONCE call_once(&control, make)
#else
static pthread_once_t control = PTHREAD_ONCE_INIT;
#define ONCE assert(pthread_once(&control, make) == 0)
#endif

static int made;

static void make(void) { made++; }

static void *worker(void *arg) {
  ONCE;
#ifdef TWICE
  ONCE;
#endif
  assert(made == 1);
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 1; i < N; i++)
    pthread_create(&threads[i], 0, worker, 0);
  worker(0);
  for (int i = 1; i < N; i++)
    pthread_join(threads[i], 0);
}
