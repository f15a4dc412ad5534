//@[n1 n2 n3] verdict: safe
//@ revisions: n1 n2 n3 down
//@[n1] cflags: -DN=1
//@[n2] cflags: -DN=2
//@[n3] cflags: -DN=3
//@[n1 n2 n3] awaits: 1
//@[down] cflags: -DN=2 -DDOWN
//@[down] verdict: unsafe(livelock)
//@ cutoffs: needed
//@ source: each thread goes on when it has seen both, in one way; with DOWN one of them may be gone before it is seen
// Threads wait until two places are set.
#include <pthread.h>
#include <stdatomic.h>
static atomic_int ready, go;

static void *waits(void *arg) {
  while (!(ready && go)) //~[down] livelock
    ;
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++)
    pthread_create(&threads[i], 0, waits, 0);
  ready = 1;
  go = 1;
#ifdef DOWN
  ready = 0;
#endif
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
  return 0;
}
