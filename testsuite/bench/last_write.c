// N threads that write one atomic variable, read after the joins: N! executions.
#include <pthread.h>
#include <stdatomic.h>
static atomic_long x;

static void *write_own(void *arg) {
  atomic_store(&x, (long)arg);
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (long i = 0; i < N; i++)
    pthread_create(&threads[i], 0, write_own, (void *)(i + 1));
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
  return x == 0;
}
