//@ verdict: unsafe(memory)
//@ cutoffs: needed
// A thread spins on a block that is freed meanwhile: its next turn finds nothing there. (Who waits instead of spinning
// must not hide that.)
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int step;

static void *spins(void *arg) {
  atomic_int *flag = arg;
  while (!atomic_load(flag)) //~ memory
    ;
  return 0;
}

int main(void) {
  pthread_t thread;
  atomic_int *flag = malloc(sizeof *flag);
  if (!flag)
    return 0;
  atomic_init(flag, 0);
  pthread_create(&thread, 0, spins, flag);
  atomic_store(&step, 1); // before which the thread may have read, or not
  free(flag); //~ data-race
  pthread_join(thread, 0);
  return 0;
}
