//@ verdict: unsafe(data-race)
//@ cutoffs: needed
// The thread reads the flag again and again while it is written plainly. The read that ends the loop comes behind all that,
// and learns of it.
#include <pthread.h>
#include <stdatomic.h>
static union {
  atomic_int flag;
  int plain;
} shared;

static void *reader(void *arg) {
  while (!atomic_load(&shared.flag)) //~ data-race
    ;
  return 0;
}

static void *writer(void *arg) {
  shared.plain = 0; //~ data-race
  return 0;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, reader, 0);
  pthread_create(&threads[1], 0, writer, 0);
  pthread_join(threads[1], 0);
  atomic_store(&shared.flag, 1);
  pthread_join(threads[0], 0);
  return 0;
}
