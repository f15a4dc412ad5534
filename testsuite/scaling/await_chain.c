//@ verdict: safe
//@ revisions: n1 n2 n3 n4
//@[n1] cflags: -DN=1
//@[n1] awaits: 1
//@[n2] cflags: -DN=2
//@[n2] awaits: 1
//@[n3] cflags: -DN=3
//@[n3] awaits: 1
//@[n4] cflags: -DN=4
//@[n4] awaits: 1
//@ cutoffs: needed
//@ source: each write is the only one that its reader waits for: 1
//@ native: run
// Each thread waits for the one before.
#include <pthread.h>
#include <stdatomic.h>
static atomic_int at;

static void *worker(void *arg) {
  int mine = (int)(long)arg;
  while (at != mine)
    ;
  at = mine + 1;
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
