//@ verdict: unsafe(assertion)
//@ source: what the clock says depends on what happened before: the lock makes the second thread's time go on by what the first one has done
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counters[4];

static void count(int which) {
  pthread_mutex_lock(&lock);
  counters[which]++;
  pthread_mutex_unlock(&lock);
}

static void *counts(void *arg) {
  count(0);
  count(1);
  count(2);
  count(2);
  return arg;
}

static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  return time.tv_nsec;
}

static void *measures(void *arg) {
  pthread_mutex_lock(&lock);
  int late = counters[1];
  pthread_mutex_unlock(&lock);
  count(3);
  long before = late ? 0 : now();
  count(3);
  assert(late || now() - before < 3000); //~ assertion
  return arg;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, counts, 0);
  pthread_create(&threads[1], 0, measures, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  return 0;
}
