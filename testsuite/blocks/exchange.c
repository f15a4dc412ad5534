//@ revisions: holds fails
//@[holds] verdict: safe
//@[holds] executions: 3
//@[holds] source: the exchange comes before both blocks, between them, or after both
//@[fails] cflags: -DFAILS
//@[fails] verdict: unsafe(assertion)
// An exchange beside two atomic blocks, of which the second one writes what it expects to be zero. It succeeds before that
// one, also where the first block has come by then.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

static atomic_int word, other;
static int exchanged, seen;

static void *exchanges(void *arg) {
  int expected = 0;
  exchanged = atomic_compare_exchange_strong(&word, &expected, 3);
  return arg;
}

static void *writes(void *arg) {
  __VERIFIER_atomic_begin();
  seen = word + other;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  other = 2;
  word = 1;
  __VERIFIER_atomic_end();
  return arg;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, exchanges, 0);
  pthread_create(&threads[1], 0, writes, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  assert(exchanged || seen == 0);
#ifdef FAILS
  assert(!exchanged || seen == 3); //~[fails] assertion
#endif
}
