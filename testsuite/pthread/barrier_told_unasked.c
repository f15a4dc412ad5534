//@ revisions: told told32 both
//@[told told32] verdict: unsafe(assertion)
//@[both] verdict: safe
//@[both] cflags: -DBOTH
//@[both] executions: 2
//@[both] source: each of the two threads may be told
//@[told32] args: -m32
// A barrier tells one thread of each round, any of them (POSIX: "an arbitrary thread"): also one that does not look at what
// it is told. So the other thread cannot rely on being told. BOTH: it does not.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;

static void *ignores(void *argument) {
  pthread_barrier_wait(&barrier);
  return argument;
}

static void *looks(void *argument) {
  int told = pthread_barrier_wait(&barrier);
#ifdef BOTH
  assert(told == PTHREAD_BARRIER_SERIAL_THREAD || told == 0);
#else
  assert(told == PTHREAD_BARRIER_SERIAL_THREAD); //~[told told32] assertion
#endif
  return argument;
}

int main(void) {
  pthread_t one, other;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&one, 0, ignores, 0);
  pthread_create(&other, 0, looks, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  return 0;
}
