//@ verdict: unsafe(assertion)
//@ revisions: spins assumes
//@[assumes] cflags: -DASSUMES
//@[spins] cutoffs: needed
//@[assumes] args: --awaits assumptions
// A block lowers a flag for which somebody waits, who may have seen it up before.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static atomic_int x = 1, z;

static void *lowers(void *arg) {
  __VERIFIER_atomic_begin();
  atomic_store(&x, 0);
  atomic_store(&z, 1);
  __VERIFIER_atomic_end();
  atomic_store(&x, 1);
  return 0;
}

static void *waits(void *arg) {
#ifdef ASSUMES
  __VERIFIER_assume(atomic_load(&x) == 1);
#else
  while (atomic_load(&x) != 1)
    ;
#endif
  assert(atomic_load(&z) == 1); //~ assertion
  return 0;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, lowers, 0);
  pthread_create(&threads[1], 0, waits, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}
