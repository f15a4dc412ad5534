//@ verdict: safe
//@ revisions: fails waits
//@ executions: 0
//@[fails] pruned: 2
//@[fails] args: --awaits on
//@[waits] pruned: 1
//@ source: the read comes before the write or behind it, and the assumption fails either way; a thread that waits does so for ever
// Nobody is stuck because of a thread whose assumption never holds: none of this happens in the program.
#include <pthread.h>
#include <stdatomic.h>
extern void __VERIFIER_assume(int);
static atomic_int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *holder(void *arg) {
  pthread_mutex_lock(&m);
  __VERIFIER_assume(atomic_load(&x) == 2);
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, holder, 0);
  atomic_store(&x, 1);
  pthread_join(t, 0);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return 0;
}
