//@ revisions: aborts assumes hangs ends
//@ args: --check leak
//@ verdict: safe
//@[aborts] cflags: -DEND=abort()
//@[aborts] executions: 1
//@[assumes] cflags: -DEND=__VERIFIER_assume(0)
//@[assumes] pruned: 1
//@[hangs] cflags: -DEND=hang()
//@[hangs] executions: 1
//@[ends] verdict: unsafe(leak)
//@[ends] cflags: -DEND=exit(0)
//@[ends] executions: 1
//@ source: there is one thread
// A process that is aborted, or hangs, has not ended in the ordinary way, and one with a failed assumption does not exist.
#include <pthread.h>
#include <stdlib.h>
void __VERIFIER_assume(int);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void hang(void) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
}

static void lose(void) {
  int *block = malloc(sizeof *block); //~[ends] leak
  *block = 1;
}

int main(void) {
  lose();
  END;
  (void)hang;
  return 0;
}
