//@ verdict: safe
//@ executions: 2
//@ source: the sender's section comes first, or the receiver waits and is woken
//@ orders: 2
//@ native: run
#include "../threads.h"
#include <assert.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, data;

static void *sender(void *arg) {
  data = 42;
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return 0;
}

static void *receiver(void *arg) {
  pthread_mutex_lock(&m);
  while (!ready)
    pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  assert(data == 42);
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){sender, receiver});
  return 0;
}
