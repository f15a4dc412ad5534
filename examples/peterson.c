// Mutual exclusion of two threads without a lock, for ever: no number of rounds is given. The proof is for all of them.
// With -DSWAPPED each thread gives way before it announces itself, and both get in.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int inside; // not atomic: the protocol protects it

static void *process(void *arg) {
  int me = arg != 0, other = 1 - me;
  for (;;) {
#ifdef SWAPPED
    turn = other;
    wants[me] = 1;
#else
    wants[me] = 1;
    turn = other;
#endif
    while (wants[other] && turn == other)
      ;
    inside++;
    assert(inside == 1);
    inside--;
    wants[me] = 0;
  }
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, process, 0);
  pthread_create(&threads[1], 0, process, &turn);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
}
