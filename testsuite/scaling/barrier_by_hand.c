//@ verdict: safe
//@ revisions: n1 n2 n3 n4
//@[n1] cflags: -DN=1
//@[n1] awaits: 1
//@[n2] cflags: -DN=2
//@[n2] awaits: 2
//@[n3] cflags: -DN=3
//@[n3] awaits: 6
//@[n4] cflags: -DN=4
//@[n4] awaits: 24
//@ observers: 1
//@ cutoffs: needed
//@ source: n! orders in which n threads arrive, which nobody sees: 1
//@ native: run
// Nobody goes on before all have arrived.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int arrived;
static int data[N];

static void *worker(void *arg) {
  long me = (long)arg;
  data[me] = 1;
  atomic_fetch_add(&arrived, 1);
  while (arrived < N)
    ;
  assert(data[(me + 1) % N]);
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (long i = 0; i < N; i++)
    pthread_create(&threads[i], 0, worker, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
  return 0;
}
