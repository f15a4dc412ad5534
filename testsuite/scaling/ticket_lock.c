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
//@ source: n! orders of n tickets
//@ native: run
// Tickets are drawn in n! orders, and served in the order in which they were drawn.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
static atomic_int next, serving;
static int inside;

static void *worker(void *arg) {
  int mine = atomic_fetch_add(&next, 1);
  while (atomic_load(&serving) != mine)
    sched_yield();
  inside++;
  assert(inside == 1);
  inside--;
  atomic_store(&serving, mine + 1);
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
