//@ verdict: unsafe(deadlock)
//@ cutoffs: needed
//@ source: by hand: the thread that joins holds what the joined one needs, whatever a third one waits for
// Two threads wait for one another, and a third one spins for ever: the circle is what is wrong.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag;

static void *child(void *arg) {
  pthread_mutex_lock(&mutex); //~ deadlock
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void *parent(void *arg) {
  pthread_t thread;
  pthread_mutex_lock(&mutex);
  pthread_create(&thread, 0, child, 0);
  pthread_join(thread, 0); //~ deadlock
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void *spinner(void *arg) {
  while (!atomic_load(&flag))
    ;
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, parent, 0);
  pthread_create(&two, 0, spinner, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
}
