//@ verdict: safe
//@ revisions: n1 n2 n3 n4
//@[n1] cflags: -DN=1
//@[n2] cflags: -DN=2
//@[n3] cflags: -DN=3
//@[n4] cflags: -DN=4
//@ awaits: 1
//@ cutoffs: needed
//@ source: one write, for which everybody waits: 1
//@ native: run
// Threads wait for a flag, and read what was published with it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
static int data;

static void *reader(void *arg) {
  while (!atomic_load_explicit(&flag, memory_order_acquire))
    ;
  assert(data == 1);
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++)
    pthread_create(&threads[i], 0, reader, 0);
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_release);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
  return 0;
}
