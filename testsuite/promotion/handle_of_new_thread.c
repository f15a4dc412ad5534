//@ verdict: unsafe(assertion)
//@ args: --check assertion
//@ source: own; both choices lead to the same state, the longer one by more actions, and only there the store of the handle races
// The same as race/handle_behind_creation.c where races are no bugs: the thread may not see its handle yet.
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t handle, other;

static void *looks(void *arg) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  assert(handle != 0); //~ assertion
  return 0;
}

int main(void) {
  pthread_t *to;
  if (__VERIFIER_nondet_bool()) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    other = 2;
    to = &handle;
  } else {
    handle = 2;
    to = &other;
  }
  pthread_create(to, 0, looks, 0);
  to = 0;
  pthread_join(2, 0);
  return 0;
}
