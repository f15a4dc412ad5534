//@ verdict: safe
//@ executions: 2
//@ source: two sections of one mutex, in either order; what was done to its bytes before comes before the threads are made
//@ native: run
// Memory that was used atomically becomes a mutex, and is used atomically again when it is none any more.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static union {
  atomic_int count;
  pthread_mutex_t mutex;
} memory;
static int shared;

static void *worker(void *arg) {
  pthread_mutex_lock(&memory.mutex);
  shared++;
  pthread_mutex_unlock(&memory.mutex);
  return 0;
}

int main(void) {
  atomic_store(&memory.count, 7);
  assert(atomic_fetch_sub(&memory.count, 7) == 7);
  pthread_mutex_init(&memory.mutex, 0);
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  pthread_mutex_destroy(&memory.mutex);
  atomic_store(&memory.count, 2);
  assert(atomic_load(&memory.count) == shared);
  return 0;
}
