// The lock is destroyed when the last thread that uses it has ended.
#include <pthread.h>

static pthread_mutex_t lock;
static int jobs;

static void *worker(void *unused) {
  pthread_mutex_lock(&lock);
  jobs++;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_init(&lock, 0);
  pthread_create(&thread, 0, worker, 0);
  worker(0);
  pthread_join(thread, 0);
  pthread_mutex_destroy(&lock);
}
