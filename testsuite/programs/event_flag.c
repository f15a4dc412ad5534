//@ revisions: lost kept
//@[lost] verdict: unsafe(deadlock)
//@[lost] executions: 2
//@[kept] verdict: safe
//@[kept] cflags: -DFLAG
//@[kept] executions: 2
//@ source: by hand: the two critical sections have two orders; a signal before the wait is lost, but a flag keeps it
// An event that comes before somebody waits for it.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t event = PTHREAD_COND_INITIALIZER;
static int happened;

static void *source(void *arg) {
  pthread_mutex_lock(&lock);
  happened = 1;
  pthread_cond_signal(&event);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, source, 0);
  pthread_mutex_lock(&lock);
#ifdef FLAG
  while (!happened)
#endif
    pthread_cond_wait(&event, &lock); //~[lost] deadlock
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
}
