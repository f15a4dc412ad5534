//@ revisions: kept freed lost beside joined
//@ args: --leaks all
//@[kept] verdict: unsafe(leak)
//@[kept] cflags: -DDO=keep()
//@[freed] verdict: safe
//@[freed] cflags: -DDO=(keep(),free(kept))
//@[lost] verdict: unsafe(leak)
//@[lost] cflags: -DDO=(keep(),kept=0)
//@[beside] verdict: unknown(that nobody joins)
//@[beside] cflags: -DDO=start()
//@[joined] verdict: safe
//@[joined] cflags: -DDO=(start(),pthread_join(t,0))
//@ executions: 1
//@ source: at most one thread besides main, on whose actions nothing but the join depends
// With --leaks all whatever is not freed is a leak. What a thread frees that nobody waits for may come too late.
#include <pthread.h>
#include <stdlib.h>
static int *kept;
static pthread_t t;

static void keep(void) {
  kept = malloc(sizeof *kept); //~[kept lost] leak
}

static void *worker(void *arg) {
  (void)arg;
  keep();
  free(kept);
  return 0;
}

static void start(void) { pthread_create(&t, 0, worker, 0); }

int main(void) {
  (void)(DO, 0);
  (void)start;
  return 0;
}
