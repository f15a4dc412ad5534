//@ verdict: safe
//@ native: run
// Two threads make the same under a lock, once, and each says that it is there. Whose word the reader takes makes no difference, but
// it has to take somebody's: nothing else orders its plain read.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;
static int made;

static void *make(void *arg) {
  pthread_mutex_lock(&lock);
  if (!made)
    made = 42;
  pthread_mutex_unlock(&lock);
  atomic_store_explicit(&ready, 1, memory_order_release);
  return 0;
}

static void *use(void *arg) {
  if (atomic_load_explicit(&ready, memory_order_acquire))
    assert(made == 42);
  return 0;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, make, 0);
  pthread_create(&threads[1], 0, make, 0);
  pthread_create(&threads[2], 0, use, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], 0);
  return 0;
}
