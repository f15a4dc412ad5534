//@ verdict: unsafe(assertion)
//@ revisions: read copied mixed
//@[copied] cflags: -DCOPIED
//@[mixed] cflags: -DCOPIED -DMIXED
//@[mixed] args: --check assertion
// Two threads store atomically, and which store came last is seen by what is not atomic, and no action of its own: a plain read,
// or a copy, when both have ended; or a copy that is an action because of what races beside it.
#include <assert.h>
#include <pthread.h>
#include <string.h>
static struct {
  unsigned beside, x;
} both;
#define x both.x
#ifdef MIXED
#define WRITE_BESIDE both.beside = 1
#else
#define WRITE_BESIDE
#endif

static void *one(void *arg) {
  WRITE_BESIDE;
  __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
  return 0;
}

static void *two(void *arg) {
  WRITE_BESIDE;
  __atomic_store_n(&x, 2, __ATOMIC_SEQ_CST);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, one, 0);
  pthread_create(&threads[1], 0, two, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
#ifdef COPIED
  unsigned last[2];
  memcpy(last, &both, sizeof last);
  assert(last[1] == 2); //~[copied mixed] assertion
#else
  assert(x == 2); //~[read] assertion
#endif
  return 0;
}
