//@ verdict: safe
//@ revisions: n6 n8
//@[n6] cflags: -DN=6
//@[n6] executions: 924
//@[n8] cflags: -DN=8
//@[n8] executions: 12870
//@ args: --memory-limit 118M
//@ naive: no
//@ source: the orders of the exchanges of two threads with N each: (2N)! / (N!)^2
//@ native: run
// No two orders lead to the same state, so that every state has to be remembered and none is of any use: the memory is too
// little for that (some 35 MB are what is left for it, after the tool itself).
#include <pthread.h>
#include <stdatomic.h>
static atomic_uint last = 1;

static void *work(void *arg) {
  unsigned seen = (unsigned)(long)arg;
  for (int i = 0; i < N; i++)
    seen = 31 * seen + atomic_exchange(&last, 31 * seen + 7);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, work, (void *)(i + 1));
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  return 0;
}
