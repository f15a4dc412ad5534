//@ revisions: own told stranger copied
//@[own] verdict: safe
//@[own] executions: 2
//@[told] verdict: safe
//@[told] executions: 2
//@[told] cflags: -DTOLD
//@[stranger] verdict: unsafe(assertion)
//@[stranger] cflags: -DSTRANGER
//@[copied] verdict: unsafe(assertion)
//@[copied] cflags: -DCOPIED
//@ args: --check assertion
//@ source: own; the handle is there before the first step of the thread, and not before the creation; what is read depends on one store
// Where races are no bugs the handle of a thread is stored by its creation: the thread sees it, and who sees it can wait for the
// thread; a thread that does not know of the creation may find nothing, and so may a thread that looks for a copy.
#include <assert.h>
#include <pthread.h>

static pthread_t handle, copy;

static void *looks(void *arg) {
#ifdef COPIED
  assert(copy != 0); //~[copied] assertion
#elif defined TOLD
  if (handle != 0)
    pthread_join(handle, 0);
#else
  assert(handle != 0); //~[stranger] assertion
#endif
  return 0;
}

static void *nothing(void *arg) { return 0; }

int main(void) {
#if defined STRANGER || defined TOLD
  pthread_t other;
  pthread_create(&other, 0, looks, 0);
  pthread_create(&handle, 0, nothing, 0);
  pthread_join(other, 0);
#else
  pthread_create(&handle, 0, looks, 0);
  copy = handle;
  volatile pthread_t again = handle;
  handle = again;
  pthread_join(handle, 0);
#endif
  return 0;
}
