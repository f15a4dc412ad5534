//@ revisions: copy fill
//@ verdict: safe
//@ args: --check assertion
//@[fill] cflags: -DFILL
//@[copy] executions: 4
//@[fill] executions: 3
//@ promoted: 2
//@ source: per word before or after; the words are filled in the order opposite to that of the looks, which excludes one
//@ orders: 2
// Copying and filling a structure is not atomic: eight bytes at a time.
#include "../threads.h"
#include <assert.h>
#include <string.h>
static struct pair {
  long a, b;
} shared, copy;

static void *writer(void *arg) {
#ifdef FILL
  memset(&shared, 1, sizeof shared);
#else
  shared.a = 1;
  shared.b = 1;
#endif
  return 0;
}

static void *reader(void *arg) {
#ifdef FILL
  long b = shared.b, a = shared.a;
  assert(a >= b);
#else
  copy = shared;
#endif
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){writer, reader});
  assert(copy.a >= 0 && copy.b >= 0);
  return 0;
}
