//@ verdict: safe
//@ revisions: test off join semaphore word
//@[test] cflags: -DSCENE=1
//@[test] executions: 3
//@[off] cflags: -DSCENE=2
//@[off] executions: 2
//@[join] cflags: -DSCENE=3
//@[join] executions: 2
//@[semaphore] cflags: -DSCENE=4
//@[semaphore] executions: 2
//@[word] cflags: -DSCENE=5
//@[word] executions: 2
//@ source: by hand: it is asked before one of two tests, or after both: 3; the only test is behind the change of its state: 2; asked before it comes to the semaphore, or while it waits there: 2 (in the case of join, the thread that is waited for); asked before or behind its begin of waiting: but for the mutex, whose two orders these are, 1 each
// A thread that is asked to end does so at cancellation points, with cleanup handlers and destructors.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t word = PTHREAD_COND_INITIALIZER;
static sem_t never;
static pthread_key_t key;
static int cleaned, destroyed, passed;

static void clean(void *what) {
  assert(what == &cleaned && destroyed == 0);
  cleaned++;
#if SCENE == 5
  pthread_mutex_unlock(&mutex);
#endif
}

static void destroy(void *value) {
  assert(cleaned == 1);
  destroyed++;
}

static void *endless(void *arg) {
  sem_wait(&never);
  return 0;
}

static void *worker(void *arg) {
  int old = -1;
  pthread_setspecific(key, &key);
  pthread_cleanup_push(clean, &cleaned);
#if SCENE == 1
  pthread_testcancel();
  passed++;
  pthread_testcancel();
  passed++;
#elif SCENE == 2
  assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
  pthread_testcancel();
  passed++;
  pthread_setcancelstate(old, &old);
  assert(old == PTHREAD_CANCEL_DISABLE);
  pthread_testcancel();
#elif SCENE == 3
  pthread_join(*(pthread_t *)arg, 0);
  assert(0);
#elif SCENE == 4
  sem_wait(&never);
  assert(0);
#else
  pthread_mutex_lock(&mutex);
  passed++;
  pthread_cond_wait(&word, &mutex);
  assert(0);
#endif
  pthread_cleanup_pop(0);
  cleaned = 1;
  return 0;
}

int main(void) {
  pthread_t thread, other;
  void *result = 0;
  sem_init(&never, 0, 0);
  pthread_key_create(&key, destroy);
#if SCENE == 3
  pthread_create(&other, 0, endless, 0);
#endif
  pthread_create(&thread, 0, worker, &other);
#if SCENE == 5
  pthread_mutex_lock(&mutex);
  assert(passed <= 1);
  pthread_mutex_unlock(&mutex);
#endif
  assert(pthread_cancel(thread) == 0);
  pthread_join(thread, &result);
  assert(cleaned == 1 && destroyed == 1);
#if SCENE <= 2
  assert(result == 0 || result == PTHREAD_CANCELED);
  assert(result == PTHREAD_CANCELED || passed > 0);
#else
  assert(result == PTHREAD_CANCELED);
#endif
#if SCENE == 3
  pthread_cancel(other);
  pthread_join(other, &result);
  assert(result == PTHREAD_CANCELED);
#endif
}
