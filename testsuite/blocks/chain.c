//@ revisions: holds fails
//@[holds] verdict: safe
//@[holds] executions: 4
//@[holds] source: blocks 1 and 2 meet in x, 2 and 3 in y: two orders of each pair, whatever the other one's
//@[fails] cflags: -DFAILS
//@[fails] verdict: unsafe(assertion)
// The second block writes y only if the first one has come before it, so that it is first seen to touch x alone.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

static int x, y;

static void *second(void *arg) {
  __VERIFIER_atomic_begin();
  if (x)
    y = 1;
  __VERIFIER_atomic_end();
  return 0;
}

static void *third(void *arg) {
  __VERIFIER_atomic_begin();
  int seen = y;
  __VERIFIER_atomic_end();
#ifdef FAILS
  assert(!seen); //~[fails] assertion
#endif
  (void)seen;
  return 0;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, third, 0);
  pthread_create(&threads[1], 0, second, 0);
  __VERIFIER_atomic_begin();
  x = 1;
  __VERIFIER_atomic_end();
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}
