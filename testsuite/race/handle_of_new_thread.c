//@ revisions: first second c11
//@ verdict: unsafe(data-race)
//@[second] cflags: -DSWAPPED
//@[c11] cflags: -DC11
//@ source: own; both choices lead to the same state, the longer one by more actions, and only there the store of the handle races
// The creation of a thread is known to the thread, the store of its handle is not: what is cut off behind the creation must
// not take that race with it.
#include <pthread.h>
#include <threads.h>

extern _Bool __VERIFIER_nondet_bool(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned long handle, other;

#ifdef SWAPPED
#define LONGER !__VERIFIER_nondet_bool()
#else
#define LONGER __VERIFIER_nondet_bool()
#endif

static int look(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  volatile unsigned long seen = handle; //~ data-race
  (void)seen;
  return 0;
}

static int look_c11(void *arg) { return look(); }

static void *look_posix(void *arg) {
  look();
  return 0;
}

int main(void) {
  unsigned long *to;
  if (LONGER) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    other = 2;
    to = &handle;
  } else {
    handle = 2;
    to = &other;
  }
#ifdef C11
  thrd_create(to, look_c11, 0);
#else
  pthread_create(to, 0, look_posix, 0);
#endif
  to = 0;
#ifdef C11
  thrd_join(2, 0);
#else
  pthread_join(2, 0);
#endif
  return 0;
}
