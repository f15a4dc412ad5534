//@ verdict: unsafe(data-race)
//@ orders: 2
// A signal alone does not synchronise; the mutex does, and the write comes after its release.
#include "../threads.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, data;

static void *sender(void *arg) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_mutex_unlock(&m);
  data = 42; //~ data-race
  pthread_cond_signal(&c);
  return 0;
}

static void *receiver(void *arg) {
  pthread_mutex_lock(&m);
  while (!ready)
    pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return data == 42 ? 0 : arg; //~ data-race
}

int main(void) {
  run_all(2, (routine *[]){sender, receiver});
  return 0;
}
