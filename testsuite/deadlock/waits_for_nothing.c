//@ verdict: unsafe(livelock)
//@ revisions: last_wins read_back
//@[last_wins] awaits: 2
//@[last_wins] source: the orders of two writes; whoever waits reads the last one, or waits for ever
//@[read_back] awaits: 2
//@[read_back] source: the same; main reads what is left
//@[read_back] cflags: -DREAD_BACK
//@ cutoffs: needed
// Which of two writes comes last decides whether somebody waits for ever, though nobody who goes on reads it.
#include <pthread.h>
#include <stdatomic.h>
static atomic_int place;

static void *writer(void *arg) {
  place = (int)(long)arg;
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, writer, (void *)(i + 1));
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
#ifdef READ_BACK
  int left = place;
#endif
  while (place != 1) //~ livelock
    ;
  return 0;
}
