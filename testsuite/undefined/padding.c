//@ revisions: small large small32 large32 member whole
//@[small] verdict: safe
//@[small] cflags: -DFIRST=unsigned -DSECOND=short
//@[small] native: run
//@[large] verdict: safe
//@[large] cflags: -DFIRST=void* -DSECOND=unsigned -Wno-atomic-alignment
//@[small32] verdict: safe
//@[small32] cflags: -m32 -DFIRST=unsigned -DSECOND=short -Wno-atomic-alignment
//@[large32] verdict: safe
//@[large32] cflags: -m32 -DFIRST=_Alignas(16)int -DSECOND=short -Wno-atomic-alignment
//@[member] verdict: unsafe(uninitialised)
//@[member] cflags: -DFIRST=unsigned -DSECOND=short -DFORGOTTEN
//@[whole] verdict: unsafe(uninitialised)
//@[whole] cflags: -DFIRST=unsigned -DSECOND=short -DNOTHING
// An atomic structure with padding, stored, exchanged, compared and loaded; its members keep their values.
#include <pthread.h>
#include <stdatomic.h>

struct pair {
  FIRST first;
  SECOND second;
};
static _Atomic struct pair shared;

static void *count(void *arg) {
  struct pair seen = atomic_load(&shared), next;
  do {
    next.first = seen.first;
    next.second = seen.second + 1;
  } while (!atomic_compare_exchange_weak(&shared, &seen, next));
  return arg;
}

int main(void) {
  struct pair begin;
  begin.first = 0;
#ifndef FORGOTTEN
  begin.second = 1;
#endif
  atomic_store(&shared, begin);
#ifdef NOTHING
  struct pair nothing;
  return atomic_compare_exchange_strong(&shared, &nothing, begin); //~[whole] uninitialised
#endif
  pthread_t thread;
  pthread_create(&thread, 0, count, 0);
  count(0);
  pthread_join(thread, 0);
  struct pair old = atomic_exchange(&shared, begin);
  if (old.second != 3) //~[member] uninitialised
    return 1;
  old = atomic_load(&shared);
  return old.second == 1 && !old.first ? 0 : 1;
}
