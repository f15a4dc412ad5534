//@ revisions: lost freed
//@[lost] verdict: unsafe(leak)
//@[freed] verdict: safe
//@[freed] cflags: -DFREE
//@ cutoffs: needed
// One thread counts for ever, so no execution has an end but that of the process, which comes by main.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int hand;

static void *counter(void *arg) {
  (void)arg;
  for (;;)
    hand = (hand + 1) % 3;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, counter, 0);
  while (hand != 2)
    ;
  int *block = malloc(sizeof *block); //~[lost] leak
  *block = hand;
#ifdef FREE
  free(block);
#endif
  return 0;
}
