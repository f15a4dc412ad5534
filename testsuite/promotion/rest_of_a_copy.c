//@ revisions: copied filled
//@ verdict: unsafe(assertion)
//@ args: --check assertion
//@[filled] cflags: -DFILLED
//@ source: own; both choices lead to the same state, the longer one by more actions, and only there the second word comes late
// A copy whose first word races stores the second one plainly behind it: that others may see the one without the other must
// not be cut off.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

extern _Bool __VERIFIER_nondet_bool(void);

#define ONES 0x0101010101010101

static atomic_int step;
static struct {
  long flag, data;
} to, from = {ONES, ONES};

static void *looks(void *arg) {
  if (to.flag == ONES) assert(to.data == ONES); //~ assertion
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, looks, 0);
  unsigned long size;
  if (__VERIFIER_nondet_bool()) {
    atomic_load(&step);
    size = sizeof to;
  } else {
    to.data = ONES;
    size = sizeof to.flag;
  }
#ifdef FILLED
  memset(&to, 1, size);
#else
  memcpy(&to, &from, size);
#endif
  size = 0;
  pthread_join(thread, 0);
  return 0;
}
