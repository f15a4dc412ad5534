//@ revisions: either always
//@[either] verdict: safe
//@[either] executions: 4
//@[always] verdict: unsafe(assertion)
//@[always] cflags: -DALWAYS
//@ source: by hand: main comes before the timer waits; or the time is over, before or after main has the lock; or the signal wakes the timer: 4
// A timer that another thread may stop before its time is over.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int stopped, fired;

static void *timer(void *arg) {
  struct timespec end = {1, 0};
  int result = 0;
  pthread_mutex_lock(&lock);
  while (!stopped && result != ETIMEDOUT) result = pthread_cond_timedwait(&changed, &lock, &end);
  if (!stopped) fired = 1;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, timer, 0);
  pthread_mutex_lock(&lock);
  int too_late = fired;
  stopped = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
  assert(fired == too_late);
#ifdef ALWAYS
  assert(!fired); //~[always] assertion
#endif
}
