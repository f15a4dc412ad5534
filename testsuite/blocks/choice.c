//@ revisions: apart together
//@ verdict: safe
//@[apart] executions: 2
//@[apart] source: the two values; the other block has no order with it
//@[together] cflags: -DTOGETHER
//@[together] executions: 4
//@[together] source: two values, two orders
// A block stops in its middle to choose. No other one that touches the same comes in between.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern _Bool __VERIFIER_nondet_bool(void);

static int x = 1, y;

static void *chooses(void *arg) {
  __VERIFIER_atomic_begin();
  x = 0;
  int seen = __VERIFIER_nondet_bool();
  x = 1 + seen;
  __VERIFIER_atomic_end();
  return 0;
}

static void *looks(void *arg) {
  __VERIFIER_atomic_begin();
#ifdef TOGETHER
  assert(x != 0);
#else
  y = 1;
#endif
  __VERIFIER_atomic_end();
  return 0;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, chooses, 0);
  pthread_create(&threads[1], 0, looks, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}
