//@ verdict: safe
//@ native: run
//@ naive: no
// A queue of one place between a producer and a consumer.
#include "../threads.h"
#include <assert.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full, place;

static void *producer(void *arg) {
  for (int i = 1; i <= 2; i++) {
    pthread_mutex_lock(&m);
    while (full)
      pthread_cond_wait(&changed, &m);
    place = i;
    full = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&m);
  }
  return 0;
}

static void *consumer(void *arg) {
  for (int i = 1; i <= 2; i++) {
    pthread_mutex_lock(&m);
    while (!full)
      pthread_cond_wait(&changed, &m);
    assert(place == i);
    full = 0;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&m);
  }
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){producer, consumer});
  return 0;
}
