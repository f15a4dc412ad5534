// The block is freed while the thread may still read it.
#include <stdlib.h>
#include "../verifier.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int *block;

void *work(void *p) {
  pthread_mutex_lock(&m);
  *block = 1;
  pthread_mutex_unlock(&m);
  return p;
}

int main(void) {
  block = malloc(sizeof *block);
  pthread_t t = start(work, 0);
  pthread_mutex_lock(&m);
  free(block);
  pthread_mutex_unlock(&m);
  join(t);
}
