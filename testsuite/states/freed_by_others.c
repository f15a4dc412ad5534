//@ args: --check assertion,memory
//@ verdict: safe
//@ engine: states
// Each thread replaces a block and frees the one that was there, which is often another thread's. Whoever has taken its block gets the
// address again later, once it knows of the free. So who knows of it is a part of the state, also while only others know: two of them may
// have changed `turn` in either order, and one of them tells the owner later. With all actions there are as many states as with sleep sets,
// in depth and in breadth. (Once there were fewer with sleep sets: which of two states was met first decided what came after it.)
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { THREADS = 3, ROUNDS = 2 };
static atomic_int turn;
static _Atomic(int *) last;

static void *work(void *arg) {
  for (int i = 0; i < ROUNDS; i++) {
    turn++;
    free(atomic_exchange(&last, malloc(sizeof(int))));
  }
  return arg;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], 0);
  free(last);
}
