//@ verdict: unsafe(memory)
//@ source: an atomic block asks for the size of a block of memory that another one may have freed
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int *block;
static size_t size;

static void *looks(void *arg) {
  int *mine = block;
  __VERIFIER_atomic_begin();
  size = malloc_usable_size(mine); //~ memory
  __VERIFIER_atomic_end();
  return arg;
}

static void *frees(void *arg) {
  int *mine = block;
  __VERIFIER_atomic_begin();
  free(mine);
  __VERIFIER_atomic_end();
  return arg;
}

int main(void) {
  pthread_t threads[2];
  block = malloc(16);
  pthread_create(&threads[0], 0, looks, 0);
  pthread_create(&threads[1], 0, frees, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  return 0;
}
