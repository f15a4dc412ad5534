// Peterson's mutual exclusion of N threads, which pass N - 1 levels, for ever. Every step of filter.pml is an access here.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 3
#endif

static atomic_int level[N], last[N], inside;

static void *process(void *arg) {
  int me = (int)(long)arg;
  for (;;) {
    for (int l = 1; l < N; l++) {
      level[me] = l;
      last[l] = me;
      for (int k = 0; k < N; k++)
        while (k != me && level[k] >= l && last[l] == me) {
        }
    }
    assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
    level[me] = 0;
  }
}

int main(void) {
  pthread_t threads[N];
  for (long i = 0; i < N; i++)
    pthread_create(&threads[i], 0, process, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
}
