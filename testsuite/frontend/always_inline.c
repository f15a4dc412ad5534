//@ revisions: error block
//@[error] verdict: unsafe(assertion)
//@[error] cflags: -DERROR
//@[block] verdict: safe
//@[block] executions: 2
//@ source: by hand: a call by its name is the violation, whatever the function does; two blocks have two orders
// Functions whose calls mean something are not inlined before that is seen.
#include <assert.h>
#include <pthread.h>

static int x, y;

__attribute__((always_inline)) static inline void reach_error(void) {}

__attribute__((always_inline)) static inline void __VERIFIER_atomic_step(void) {
  x++;
  assert(x == y + 1);
  y++;
}

static void *worker(void *arg) {
  __VERIFIER_atomic_step();
  return 0;
}

int main(void) {
#ifdef ERROR
  reach_error(); //~[error] assertion
#endif
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  worker(0);
  pthread_join(thread, 0);
}
