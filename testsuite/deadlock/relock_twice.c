//@ verdict: unsafe(deadlock)
// Two threads each lock a mutex that they hold, at places of their own: these are two bugs. Which thread comes to that
// depends on who has the other mutex.
#include <pthread.h>
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;

static void *locks(void *arg) {
  if (pthread_mutex_trylock(&first) == 0) {
    pthread_mutex_lock(&other);
    pthread_mutex_lock(&other); //~ deadlock
  }
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, locks, 0);
  if (pthread_mutex_trylock(&first) == 0) {
    pthread_mutex_lock(&other);
    pthread_mutex_lock(&other); //~ deadlock
  }
  pthread_join(thread, 0);
  return 0;
}
