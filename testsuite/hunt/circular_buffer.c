//@ revisions: early late
//@[early] verdict: unsafe(assertion)
//@[early] samples: 5
//@[late] verdict: safe
//@[late] naive: no
//@[late] cflags: -DLATE
// After the program "circular buffer": one producer, one consumer, no lock. The producer says that an item is there before it is.
#include "threads_of.h"
#include <assert.h>
#include <stdatomic.h>
enum { SIZE = 2, ITEMS = 4 };
static atomic_int buffer[SIZE], in, out;

static void *producer(void *arg) {
  for (int i = 1; i <= ITEMS; i++) {
    int at = in;
    if (at - out == SIZE)
      break;
#ifdef LATE
    buffer[at % SIZE] = i;
    in = at + 1;
#else
    in = at + 1;
    buffer[at % SIZE] = i;
#endif
  }
  return arg;
}

static void *consumer(void *arg) {
  for (int i = 1; i <= ITEMS; i++) {
    int at = out;
    if (at == in)
      break;
    assert(buffer[at % SIZE] == i); //~[early] assertion
    out = at + 1;
  }
  return arg;
}

int main(void) {
  run_many(0, 0, 2, (routine *const[]){producer, consumer});
  return 0;
}
