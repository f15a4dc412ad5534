//@ verdict: safe
//@ native: run
// Time goes on from thread to thread along locks, creation and joins.
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long long last;

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void *look(void *argument) {
  (void)argument;
  pthread_mutex_lock(&mutex);
  long long time = now();
  assert(time >= last);
  last = time;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  last = now();
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, look, NULL);
  look(NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(now() >= last);
  return 0;
}
