//@ revisions: once c11 forgetful loop never
//@[once] verdict: safe
//@[once] executions: 4
//@[c11] verdict: safe
//@[c11] cflags: -DC11
//@[c11] executions: 4
//@[forgetful] verdict: unsafe(assertion)
//@[forgetful] cflags: -DFORGETFUL
//@[loop] verdict: safe
//@[loop] cflags: -DAGAIN=while
//@[loop] cutoffs: needed
//@[never] verdict: safe
//@[never] cflags: -DNOBODY
//@[never] executions: 1
//@ source: by hand: the word comes before the wait; or the time is over and the mutex is had again before it comes, or only behind it; or it comes in time: 4. Alone: 1
// A thread waits for a word, but not for ever: when the time is over, the word may have been given all the same.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <threads.h>
#include <time.h>
#ifdef C11
static mtx_t mutex;
static cnd_t word;
#define LOCK mtx_lock(&mutex)
#define UNLOCK mtx_unlock(&mutex)
#define SIGNAL cnd_signal(&word)
#define WAIT cnd_timedwait(&word, &mutex, &soon)
#define TIMED_OUT thrd_timedout
#else
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t word = PTHREAD_COND_INITIALIZER;
#define LOCK pthread_mutex_lock(&mutex)
#define UNLOCK pthread_mutex_unlock(&mutex)
#define SIGNAL pthread_cond_signal(&word)
#define WAIT pthread_cond_timedwait(&word, &mutex, &soon)
#define TIMED_OUT ETIMEDOUT
#endif
#ifndef AGAIN
#define AGAIN if
#endif

static int given;

static void *giver(void *arg) {
#ifndef NOBODY
  LOCK;
  given = 1;
  SIGNAL;
  UNLOCK;
#endif
  return 0;
}

int main(void) {
  pthread_t thread;
  struct timespec soon = {1, 0};
#ifdef C11
  mtx_init(&mutex, mtx_plain);
  cnd_init(&word);
#else
  struct timespec none = {1, -1};
  assert(pthread_cond_timedwait(&word, &mutex, &none) == EINVAL);
#endif
  pthread_create(&thread, 0, giver, 0);
  LOCK;
  AGAIN (!given) {
    int result = WAIT;
    assert(result == 0 || result == TIMED_OUT);
    if (result == 0)
      assert(given);
#ifdef FORGETFUL
    if (result == TIMED_OUT)
      assert(!given); //~[forgetful] assertion
#endif
  }
  UNLOCK;
  pthread_join(thread, 0);
}
