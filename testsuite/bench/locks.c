// N threads with one critical section each: N! executions.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *increment(void *arg) {
  pthread_mutex_lock(&m);
  counter++;
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++)
    pthread_create(&threads[i], 0, increment, 0);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
  return counter != N;
}
