//@ verdict: safe
//@ revisions: n2 n3
//@[n2] cflags: -DN=2
//@[n3] cflags: -DN=3
//@ alike: 1
//@ naive: no
//@ source: a thread whose compare-exchange fails has begun its turn too early, and such executions do not count; of the n! orders of turns that succeed nothing tells one from another
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;

static void *thread(void *arg) {
  int seen;
  do
    seen = atomic_load(&x);
  while (!atomic_compare_exchange_weak(&x, &seen, seen + 1));
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (long i = 0; i < N; i++)
    pthread_create(&threads[i], 0, thread, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
  assert(x == N);
  return 0;
}
