//@ revisions: checked unchecked
//@[checked] verdict: safe
//@[unchecked] verdict: unsafe(assertion)
//@[unchecked] cflags: -DUNCHECKED
//@ cutoffs: needed
//@ source: by hand: the number is odd while the writer is between the two, and another one behind it
// A sequence lock: readers look at a number before and after, and try again if it is odd or has changed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sequence, a, b;

static void *writer(void *arg) {
  for (int i = 1; i <= 2; i++) {
    sequence++;
    a = i;
    b = i;
    sequence++;
  }
  return 0;
}

int main(void) {
  pthread_t thread;
  int before, x, y;
  pthread_create(&thread, 0, writer, 0);
  do {
    before = sequence;
    x = a;
    y = b;
#ifdef UNCHECKED
    break;
#endif
  } while (before % 2 != 0 || before != sequence);
  assert(x == y); //~[unchecked] assertion
  pthread_join(thread, 0);
}
