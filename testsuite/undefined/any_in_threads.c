//@ revisions: any some
//@ args: --uninitialised any
//@[any] verdict: safe
//@[some] verdict: unsafe(assertion)
//@[some] cflags: -DLIMIT=10
// Threads decide on what was never written; a mutex guards what comes of it.
#include <assert.h>
#include <pthread.h>
#ifndef LIMIT
#define LIMIT 20
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *add(void *arg) {
  unsigned char array[2];
  int more = array[1] > 200 ? 10 : array[1] < 7 ? 5 : 0;
  if (array[0] > 100)
    more /= 5;
  pthread_mutex_lock(&lock);
  sum += more;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, add, 0);
  add(0);
  pthread_join(thread, 0);
  assert(sum <= LIMIT); //~[some] assertion
  return 0;
}
