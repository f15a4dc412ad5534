//@ revisions: normal unlocked
//@[normal] verdict: unsafe(deadlock)
//@[unlocked] verdict: safe
//@[unlocked] cflags: -DUNLOCK
//@ executions: 1
//@ source: one thread
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_lock(&m);
#ifdef UNLOCK
  pthread_mutex_unlock(&m);
#endif
  pthread_mutex_lock(&m); //~[normal] deadlock
  pthread_mutex_unlock(&m);
  return 0;
}
