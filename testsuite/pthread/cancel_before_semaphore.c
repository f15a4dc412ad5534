//@ verdict: safe
//@ executions: 1
//@ native: run
//@ source: by hand: a request that was made before the call of a cancellation point is acted upon before that returns (POSIX 2.9.5.2); the mutex orders the request before it
// A thread that was asked to end does so at a semaphore that it could have.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t one;

static void *worker(void *arg) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  sem_wait(&one);
  assert(0);
  return 0;
}

int main(void) {
  pthread_t thread;
  void *result = 0;
  int value = 0;
  sem_init(&one, 0, 1);
  pthread_mutex_lock(&mutex);
  pthread_create(&thread, 0, worker, 0);
  pthread_cancel(thread);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, &result);
  assert(result == PTHREAD_CANCELED);
  sem_getvalue(&one, &value);
  assert(value == 1);
}
