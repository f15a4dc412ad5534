//@ revisions: attribute call self
//@ verdict: safe
//@[attribute] cflags: -DATTRIBUTE
//@[call] cflags: -DCALL
//@[self] cflags: -DSELF
//@ executions: 2
//@ source: the orders of two critical sections
// Main waits for a detached thread with a flag under a lock, or does not see it.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *worker(void *arg) {
#ifdef SELF
  pthread_detach(pthread_self());
#endif
  pthread_mutex_lock(&m);
  done = 1;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_attr_t attr;
  pthread_attr_init(&attr);
#ifdef ATTRIBUTE
  pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
#endif
  pthread_create(&t, &attr, worker, 0);
  pthread_attr_destroy(&attr);
#ifdef CALL
  pthread_detach(t);
#endif
  pthread_mutex_lock(&m);
  int seen = done;
  pthread_mutex_unlock(&m);
  return seen;
}
