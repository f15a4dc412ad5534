// One thread waits until another one is ready. With -DLOCKED nobody can say so between the look and the wait.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void *worker(void *unused) {
#ifdef LOCKED
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_mutex_unlock(&lock);
#else
  ready = 1; // it is atomic, so why lock?
#endif
  pthread_cond_signal(&changed);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_mutex_lock(&lock);
  while (!ready)
    pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
}
