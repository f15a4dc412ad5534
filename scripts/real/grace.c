// A grace period of liburcu: what a reader has found stays until the reader is through.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <urcu.h>

static int *shared;

static void *reader(void *argument) {
  rcu_register_thread();
  rcu_read_lock();
  int *found = rcu_dereference(shared);
  assert(*found == 1 || *found == 2);
  rcu_read_unlock();
  rcu_unregister_thread();
  return argument;
}

int main(void) {
  int *old = malloc(sizeof *old), *new = malloc(sizeof *new);
  *old = 1;
  *new = 2;
  shared = old;
  pthread_t thread;
  pthread_create(&thread, 0, reader, 0);
  rcu_xchg_pointer(&shared, new);
  synchronize_rcu();
  free(old);
  pthread_join(thread, 0);
  free(new);
}
