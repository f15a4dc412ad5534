//@ verdict: safe
//@ revisions: lp64 ilp32
//@[lp64] cflags: -DLONG=8
//@[ilp32] args: -m32
//@[ilp32] cflags: -DLONG=4
//@ native: run
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
struct mixed { char c; long l; void *p; short s; };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
  pthread_mutex_lock(&m);
  *(long *)arg += 1;
  pthread_mutex_unlock(&m);
  return (void *)(intptr_t)-5;
}

int main(void) {
  assert(sizeof(long) == LONG && sizeof(void *) == LONG && sizeof(size_t) == LONG && sizeof(long long) == 8);
  assert(offsetof(struct mixed, l) == LONG && sizeof(struct mixed) == 4 * LONG);
  long value = -2147483647L - 1;
  assert((value < 0) && (unsigned long)value >= 0x80000000ul);
  pthread_t t;
  void *result;
  pthread_create(&t, 0, worker, &value);
  pthread_join(t, &result);
  assert((intptr_t)result == -5 && value == -2147483647L);
  return 0;
}
