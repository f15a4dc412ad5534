//@ verdict: safe
//@ executions: 6
//@ source: each thread creates the next before it adds, so all orders of three read-modify-writes: 3!
//@ native: run
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int sum;

static void *worker(void *arg) {
  long depth = (long)arg;
  pthread_t t;
  if (depth > 1)
    pthread_create(&t, 0, worker, (void *)(depth - 1));
  sum += (int)depth;
  if (depth > 1)
    pthread_join(t, 0);
  return 0;
}

int main(void) {
  worker((void *)3);
  assert(sum == 6);
  return 0;
}
