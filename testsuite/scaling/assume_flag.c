//@ verdict: safe
//@ revisions: n1 n2 n3 n4 waits1 waits2 waits3 waits4
//@[n1 waits1] cflags: -DN=1
//@[n2 waits2] cflags: -DN=2
//@[n3 waits3] cflags: -DN=3
//@[n4 waits4] cflags: -DN=4
//@ executions: 1
//@[n1] pruned: 1
//@[n2] pruned: 3
//@[n3] pruned: 7
//@[n4] pruned: 15
//@[n1 n2 n3 n4] args: --awaits on
//@[waits1 waits2 waits3 waits4] pruned: 0
//@ source: each reader reads before the store or behind it: 2^n, of which one is left; where those who read too early wait, it is the only one
// Threads assume that a flag is set, and read what was published with it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern void __VERIFIER_assume(int);
static atomic_int flag;
static int data;

static void *reader(void *arg) {
  int seen = atomic_load_explicit(&flag, memory_order_acquire);
  __VERIFIER_assume(seen == 1);
  assert(data == 1);
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++)
    pthread_create(&threads[i], 0, reader, 0);
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_release);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
  return 0;
}
