//@ revisions: right no_second_look odd_is_fine wraps
//@ verdict: safe
//@[no_second_look odd_is_fine wraps] verdict: unsafe(assertion)
//@[no_second_look] cflags: -DCHANGED=(before&1)
//@[odd_is_fine] cflags: -DCHANGED=(before!=sequence)
//@[wraps] cflags: -DUPDATES=1 -DWRAP=3
//@ source: the sequence locks of Linux
//@ orders: 2
//@ cutoffs: needed
// A reader that finds the number odd or changed reads again. A number that comes back to its old value while one reads
// hides the change, so the writer of the right version stops before that, and the reader with the last version.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
#ifndef CHANGED
#define CHANGED (before & 1 || before != sequence)
#endif
#ifndef UPDATES
#define UPDATES (version < 2)
#define WRAP 7
#endif
static atomic_int sequence, left, right;

static void *writer(void *arg) {
  for (int version = 0; UPDATES;) {
    version = (version + 1) % 3;
    int number = sequence;
    sequence = (number + 1) & WRAP;
    left = version;
    right = version;
    sequence = (number + 2) & WRAP;
  }
  return 0;
}

static void *reader(void *arg) {
  int before, one = 0, two;
  while (one != 2) {
    do {
      before = sequence;
      one = left;
      two = right;
    } while (CHANGED);
    assert(one == two); //~[no_second_look odd_is_fine wraps] assertion
  }
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){writer, reader});
  return 0;
}
