//@ verdict: safe
//@ source: by hand: whoever joined the thread would get the block, so it is not lost while the thread's cleanup handler runs
// A thread that ends with a block as its result still cleans up when the process ends.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;

static void clean(void *arg) { pthread_mutex_lock(&held); }

static void *worker(void *arg) {
  pthread_cleanup_push(clean, 0);
  pthread_exit(malloc(1));
  pthread_cleanup_pop(0);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&held);
  pthread_create(&thread, 0, worker, 0);
  exit(0);
}
