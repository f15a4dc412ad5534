//@ revisions: apart reads writes
//@ verdict: safe
//@[apart] executions: 1
//@[apart] source: the block touches y alone, the thread x alone
//@[reads] cflags: -DREADS
//@[reads] executions: 3
//@[reads] source: the block reads x before both stores, between them, or behind both
//@[writes] cflags: -DWRITES
//@[writes] executions: 3
//@[writes] source: as reads
// A block beside a thread that stores to an atomic variable twice.
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

static atomic_int x, y;

static void *stores(void *arg) {
  atomic_store(&x, 1);
  atomic_store(&x, 2);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, stores, 0);
  __VERIFIER_atomic_begin();
#if defined READS
  y = x;
#elif defined WRITES
  x = 3;
#else
  y = 1;
#endif
  __VERIFIER_atomic_end();
  pthread_join(thread, 0);
  return 0;
}
