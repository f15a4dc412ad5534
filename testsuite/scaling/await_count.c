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
//@ source: n! orders of n updates, whose order nobody sees: 1
// Main waits until all have counted themselves.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int done;
static int data[N];

static void *worker(void *arg) {
  data[(long)arg] = 1;
  done++;
  return 0;
}

int main(void) {
  pthread_t thread;
  for (long i = 0; i < N; i++)
    pthread_create(&thread, 0, worker, (void *)i);
  while (done != N)
    ;
  for (int i = 0; i < N; i++)
    assert(data[i]);
  return 0;
}
