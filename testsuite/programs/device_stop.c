//@ revisions: counted unchecked
//@[counted] verdict: safe
//@[unchecked] verdict: unsafe(assertion)
//@[unchecked] cflags: -DUNCHECKED
//@ source: the pattern of KISS, Qadeer and Wu, PLDI 2004: a driver whose stop routine must wait for those who are inside
// A device is stopped while somebody uses it. The user is counted in before it looks whether the device stops; if it looks first,
// the device may stop in between.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
static atomic_int inside = 1, stopping, stopped;

// The last one who leaves stops the device.
static void leave(void) {
  if (atomic_fetch_sub(&inside, 1) == 1)
    stopped = 1;
}

static void *user(void *arg) {
#ifdef UNCHECKED
  if (stopping)
    return arg;
  inside++;
#else
  int before = inside;
  do {
    if (before == 0)
      return arg;
  } while (!atomic_compare_exchange_strong(&inside, &before, before + 1));
  if (stopping) {
    leave();
    return arg;
  }
#endif
  assert(!stopped); //~[unchecked] assertion
  leave();
  return arg;
}

static void *stop(void *arg) {
  stopping = 1;
  leave();
  return arg;
}

int main(void) {
  run_all(2, (routine *const[]){user, stop});
  return 0;
}
