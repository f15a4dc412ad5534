//@ verdict: safe
//@ revisions: n2 n3 n4
//@[n2] cflags: -DN=2
//@[n3] cflags: -DN=3
//@[n4] cflags: -DN=4
//@[n2] alike: 3
//@[n2] executions: 4
//@[n3] alike: 15
//@[n3] executions: 36
//@[n4] alike: 105
//@[n4] executions: 576
//@[n4] naive: no
//@ source: an execution is an order of the n writes, and for each read how many of them come before: not its own one, and not fewer than before the read of the thread before. These are (2n-1)!!; of (n!)^2 with each thread on its own
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;

static void *thread(void *arg) {
  int value = atomic_load(&x);
  atomic_store(&x, value + 1);
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++)
    pthread_create(&threads[i], 0, thread, 0);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
  assert(1 <= x && x <= N);
  return 0;
}
