//@ revisions: flag_last flag_first
//@ verdict: safe
//@ args: --check assertion
//@[flag_first] verdict: unsafe(assertion)
//@[flag_first] cflags: -DFIRST
//@[flag_last] executions: 2
//@[flag_last] promoted: 1
//@[flag_first] executions: 3
//@[flag_first] promoted: 2
//@ source: the flag before or after the look; if it comes first, also the data before or after what looks at them then
//@ orders: 2
// A plain flag that is visible orders the data: they are not promoted, unless the flag comes too early.
#include "../threads.h"
#include <assert.h>
static int flag, data;

static void *producer(void *arg) {
#ifdef FIRST
  flag = 1;
  data = 42;
#else
  data = 42;
  flag = 1;
#endif
  return 0;
}

static void *consumer(void *arg) {
  if (flag)
    assert(data == 42); //~[flag_first] assertion
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){producer, consumer});
  return 0;
}
