//@ verdict: unsafe(assertion)
//@ revisions: read copied
//@[copied] cflags: -DCOPIED
// Two threads store atomically, and which store came last is seen by what is not atomic, and no action of its own: a plain read,
// or a copy, when both have ended.
#include <assert.h>
#include <pthread.h>
#include <string.h>
static unsigned x;

static void *one(void *arg) {
  __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
  return 0;
}

static void *two(void *arg) {
  __atomic_store_n(&x, 2, __ATOMIC_SEQ_CST);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, one, 0);
  pthread_create(&threads[1], 0, two, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
#ifdef COPIED
  unsigned last;
  memcpy(&last, &x, sizeof last);
  assert(last == 2); //~[copied] assertion
#else
  assert(x == 2); //~[read] assertion
#endif
  return 0;
}
