// Dekker's mutual exclusion of two threads, for ever. Every step of dekker.pml is an access here.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn, inside;

static void *process(void *arg) {
  int me = (int)(long)arg, other = 1 - me;
  for (;;) {
    wants[me] = 1;
    while (wants[other])
      if (turn == other) {
        wants[me] = 0;
        while (turn == other) {
        }
        wants[me] = 1;
      }
    assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
    turn = other;
    wants[me] = 0;
  }
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, process, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
}
