//@ verdict: unknown(initialised again)
//@ source: by hand: POSIX does not say what a second initialisation does; with glibc the routine is called again
// What happens once is made to happen twice.
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int calls;

static void count(void) { calls++; }

int main(void) {
  pthread_once(&once, count);
  pthread_once(&once, count);
  assert(calls == 1);
  once = PTHREAD_ONCE_INIT;
  pthread_once(&once, count);
  assert(calls == 1);
}
