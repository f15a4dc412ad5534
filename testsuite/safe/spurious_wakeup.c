//@ revisions: without loop once
//@ verdict: safe
//@[without] cflags: -DONCE
//@[loop once] args: --spurious-wakeups
//@[once] cflags: -DONCE
//@[once] verdict: unsafe(assertion)
//@[loop once] cutoffs: needed
//@ source: own; POSIX lets a wait return without a signal, so the predicate is to be tested again
// A thread waits until there is something; the one that tests only once takes what is not there.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void *take(void *arg) {
  pthread_mutex_lock(&m);
#ifdef ONCE
  if (!items)
#else
  while (!items)
#endif
    pthread_cond_wait(&filled, &m);
  assert(items == 1); //~[once] assertion
  items--;
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, take, 0);
  pthread_mutex_lock(&m);
  items++;
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&m);
  pthread_join(thread, 0);
  return items;
}
