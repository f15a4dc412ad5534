//@ revisions: line circle gone returned held first
//@[line] cflags: -DLINE
//@[line] args: --check -livelock
//@[line] verdict: unsafe(assertion)
//@[circle] cflags: -DCIRCLE
//@[circle] verdict: unsafe(deadlock)
//@[gone] cflags: -DGONE
//@[returned] cflags: -DRETURNED
//@[held] cflags: -DHELD
//@[gone returned held] verdict: unsafe(memory)
//@[first] cflags: -DFIRST
//@[first] verdict: unsafe(assertion)
//@ cutoffs: needed
// A thread polls for what never comes, so that it does so in vain in every execution, and none counts. Beside it main
// joins one of two threads that nothing tells apart until then; or a thread waits for a lock or a semaphore whose life
// has ended, alone or in a circle. Or what is wrong comes before the thread has polled at all, which it does only in
// what is explored beside that.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int done, data;
static sem_t *semaphore;
static pthread_mutex_t *mutex;

static void *polls(void *arg) {
#ifdef FIRST
  pthread_mutex_lock(&other);
  data++;
  pthread_mutex_unlock(&other);
#endif
  for (;;) {
    pthread_mutex_lock(&m);
    int found = done;
    pthread_mutex_unlock(&m);
    if (found) return 0;
    sched_yield();
  }
}

static void *takes(void *arg) {
#ifdef HELD
  pthread_mutex_lock(mutex); //~[held] memory
#elif defined(CIRCLE)
  pthread_mutex_lock(&other); //~[circle] deadlock
#else
  sem_wait(semaphore); //~[gone returned] memory
#endif
  return 0;
}

#ifdef RETURNED
static void hands_over(pthread_t *thread) {
  sem_t own;
  sem_init(&own, 0, 0);
  semaphore = &own;
  pthread_create(thread, 0, takes, 0);
}
#endif

int main(void) {
  pthread_t poller, first, second;
  pthread_create(&poller, 0, polls, 0);
#if defined(LINE)
  static sem_t one;
  sem_init(&one, 0, 1);
  semaphore = &one;
  pthread_create(&first, 0, takes, 0);
  pthread_create(&second, 0, takes, 0);
  pthread_join(second, 0);
  assert(0); //~[line] assertion
#elif defined(CIRCLE)
  pthread_mutex_lock(&other);
  pthread_create(&first, 0, takes, 0);
  pthread_create(&second, 0, takes, 0);
  pthread_join(second, 0);
#elif defined(GONE)
  semaphore = malloc(sizeof *semaphore);
  if (!semaphore) return 0;
  sem_init(semaphore, 0, 0);
  pthread_create(&first, 0, takes, 0);
  free(semaphore);
  pthread_join(first, 0);
#elif defined(RETURNED)
  hands_over(&first);
  pthread_join(first, 0);
#elif defined(HELD)
  mutex = malloc(sizeof *mutex);
  if (!mutex) return 0;
  pthread_mutex_init(mutex, 0);
  pthread_mutex_lock(mutex);
  pthread_create(&first, 0, takes, 0);
  free(mutex);
  pthread_join(first, 0);
#elif defined(FIRST)
  pthread_create(&second, 0, polls, 0);
  pthread_mutex_lock(&other);
  assert(data != 2); //~[first] assertion
  pthread_mutex_unlock(&other);
#endif
  return 0;
}
