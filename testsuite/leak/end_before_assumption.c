//@ revisions: beside before
//@[beside] verdict: unsafe(leak)
//@[before] verdict: safe
//@[before] cflags: -DJOIN
//@ pruned: 1
//@ source: the thread's only action is the assumption that fails; main's are creation, its end or the join
// The process may end before the assumption fails, and then it did not fail; not if it waits for the thread.
#include <pthread.h>
#include <stdlib.h>
void __VERIFIER_assume(int);

static void *worker(void *arg) {
  (void)arg;
  __VERIFIER_assume(0);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
#ifdef JOIN
  pthread_join(t, 0);
#endif
  int *block = malloc(sizeof *block); //~[beside] leak
  *block = 1;
  return 0;
}
