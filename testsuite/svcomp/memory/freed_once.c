// Whoever comes first frees the block.
#include <stdlib.h>
#include "../verifier.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int *block;

void *work(void *p) {
  pthread_mutex_lock(&m);
  free(block);
  block = 0;
  pthread_mutex_unlock(&m);
  return p;
}

int main(void) {
  block = malloc(sizeof *block);
  pthread_t t = start(work, 0);
  work(0);
  join(t);
}
