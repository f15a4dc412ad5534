//@ verdict: unsafe(uninitialised)
//@ awaits: 2
//@ cutoffs: needed
//@ source: the thread reads before the store, which fails, or behind it: 2
// The flag was never given a value when the thread looks at it first. Who waits until there is one does not see that.
#include <pthread.h>
#include <stdatomic.h>
static union {
  atomic_int flag;
  int plain;
} shared;

static void *reader(void *arg) {
  while (atomic_load(&shared.flag) != 1) //~ uninitialised
    ;
  return 0;
}

int main(void) {
  int nothing;
  shared.plain = nothing;
  pthread_t thread;
  pthread_create(&thread, 0, reader, 0);
  atomic_store(&shared.flag, 1);
  pthread_join(thread, 0);
  return 0;
}
