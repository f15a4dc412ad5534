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
//@ cutoffs: needed
//@ source: n! orders of n sections
//@ native: run
// A spin lock made of an exchange that compares: n! orders of n sections, and nothing for the turns in between.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int taken;
static int inside;

static void take(void) {
  int free = 0;
  while (!atomic_compare_exchange_weak(&taken, &free, 1))
    free = 0;
}

static void *worker(void *arg) {
  take();
  inside++;
  assert(inside == 1);
  inside--;
  atomic_store(&taken, 0);
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
