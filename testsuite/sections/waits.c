//@ verdict: safe
//@ executions: 11
//@ source: sections that only count have no order among themselves, and one with those that wait and signal
// If main comes when there is something, the first thread counts before that, between it and main, or after main: 3. If
// main waits first, it counts before main waits, before the signal, before main goes on, or after that, and the producer
// counts before main waits or after it: 4 * 2.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int counters[2], full;

static void *count(void *arg) {
  pthread_mutex_lock(&lock);
  counters[(long)arg]++;
  pthread_mutex_unlock(&lock);
  return 0;
}

static void *produce(void *arg) {
  count((void *)1);
  pthread_mutex_lock(&lock);
  full = 1;
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, count, 0);
  pthread_create(&threads[1], 0, produce, 0);
  pthread_mutex_lock(&lock);
  while (!full)
    pthread_cond_wait(&filled, &lock);
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  return 0;
}
