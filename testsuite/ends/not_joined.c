//@ verdict: unsafe(assertion)
//@ revisions: late never detached
//@[never] cflags: -DNEVER
//@[detached] cflags: -DDETACHED
// A thread of which nobody awaits the end: what is wrong in it, and in others, is found.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;

static void *worker(void *arg) {
  atomic_fetch_add(&x, 1);
  assert(atomic_load(&x) < 2); //~ assertion
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, worker, 0);
  pthread_create(&two, 0, worker, 0);
#ifdef DETACHED
  pthread_detach(two);
#endif
  pthread_join(one, 0);
#if !defined(NEVER) && !defined(DETACHED)
  pthread_join(two, 0);
#endif
  return 0;
}
