//@ verdict: unsafe(deadlock)
//@ revisions: round poll
//@[round] cflags: -DROUND
//@[poll] cflags: -DPOLL
//@ cutoffs: needed
// A thread looks for something under a mutex, again and again, and another one ends while it holds that mutex: the first
// one is blocked then. It is not as long as it has not come to the mutex again, and so it must do that before the report.
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int stop, seen;
static int data;

static void *looks(void *arg) {
  int found = 0;
#ifdef ROUND
  while (!stop) {
    pthread_mutex_lock(&m); //~[round] deadlock
    found = data;
    pthread_mutex_unlock(&m);
    if (seen != 1) seen = 1;
  }
#else
  while (!found) {
    pthread_mutex_lock(&m); //~[poll] deadlock
    found = data;
    pthread_mutex_unlock(&m);
  }
#endif
  return arg;
}

static void *keeps(void *arg) {
  for (;;) {
    pthread_mutex_lock(&m);
    if (data) break;
    pthread_mutex_unlock(&m);
  }
  return arg;
}

static void *sets(void *arg) {
  pthread_mutex_lock(&m);
  data = 2;
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, looks, 0);
  pthread_create(&threads[1], 0, keeps, 0);
  pthread_create(&threads[2], 0, sets, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], 0);
  return 0;
}
