//@ revisions: concurrent after
//@[concurrent] verdict: unsafe(assertion)
//@[after] verdict: safe
//@[after] cflags: -DAFTER
//@ executions: 1
//@ source: nothing conflicts; the failure counts unless it can only come after the end of the process
// AFTER: the thread passes its assertion only behind a lock that main holds when it exits.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *failing(void *arg) {
#ifdef AFTER
  pthread_mutex_lock(&m);
#endif
  assert(0); //~[concurrent] assertion
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&m);
  pthread_create(&t, 0, failing, 0);
  return 0;
}
