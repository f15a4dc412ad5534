// THREADS threads, each with ROUNDS rounds of OWN accesses to a counter of its own and one critical section of a lock
// that all share. OWN makes long executions, ROUNDS many.
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int own[THREADS];
static int shared;

static void *work(void *arg) {
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < OWN; i++)
      atomic_fetch_add(&own[(long)arg], 1);
    pthread_mutex_lock(&m);
    shared++;
    pthread_mutex_unlock(&m);
  }
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; i++)
    pthread_create(&threads[i], 0, work, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], 0);
  return shared != THREADS * ROUNDS;
}
