//@ verdict: safe
//@ executions: 6
//@ source: 3!, the orders of three writes of one cell; each thread joins the one before it at once, so it ends after it
// A thread that has joined another one ends after both.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static int plain[3];
static pthread_t threads[3];

static void *worker(void *arg) {
  long me = (long)arg;
  atomic_store(&x, (int)me);
  plain[me] = 1;
  if (me > 0) {
    pthread_join(threads[me - 1], 0);
    assert(plain[me - 1] == 1);
    plain[me - 1] = 2;
  }
  return 0;
}

int main(void) {
  for (long i = 0; i < 3; i++)
    pthread_create(&threads[i], 0, worker, (void *)i);
  pthread_join(threads[2], 0);
  assert(plain[0] == 2 && plain[1] == 2 && plain[2] == 1);
  return 0;
}
