//@ revisions: circle holder
//@ verdict: unsafe(deadlock)
//@[holder] cflags: -DHOLDER
//@ cutoffs: needed
// Two threads wait for one another, or for a mutex whose holder has ended, while a third one polls.
#include <pthread.h>
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t polled = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *one(void *arg) {
#ifdef HOLDER
  pthread_mutex_lock(&polled); //~[holder] deadlock
  done = 1;
#else
  pthread_mutex_lock(&first);
  pthread_mutex_lock(&other); //~[circle] deadlock
  pthread_mutex_unlock(&other);
  pthread_mutex_unlock(&first);
  pthread_mutex_lock(&polled);
  done = 1;
  pthread_mutex_unlock(&polled);
#endif
  return arg;
}

static void *two(void *arg) {
#ifdef HOLDER
  pthread_mutex_lock(&polled); //~[holder] deadlock
#else
  pthread_mutex_lock(&other);
  pthread_mutex_lock(&first); //~[circle] deadlock
  pthread_mutex_unlock(&first);
  pthread_mutex_unlock(&other);
#endif
  return arg;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, one, 0);
  pthread_create(&threads[1], 0, two, 0);
  for (int found = 0; !found;) {
    pthread_mutex_lock(&polled); //~[holder] deadlock
    found = done;
    pthread_mutex_unlock(&polled);
  }
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}
