//@ revisions: free passed
//@[free] verdict: unsafe(assertion)
//@[free] samples: 5
//@[passed] verdict: safe
//@[passed] cflags: -DPASSED
//@[passed] cutoffs: needed
// After the program "token ring": each of four threads hands on what its neighbour has; without a token that goes round, nothing
// says in which order.
#include "threads_of.h"
#include <assert.h>
#include <stdatomic.h>
enum { RING = 4 };
static atomic_int value[RING + 1] = {1}, token;

static void *station(void *arg) {
  long me = (long)arg;
#ifdef PASSED
  while (token != me)
    ;
#endif
  value[me + 1] = value[me];
  token = me + 1;
  return arg;
}

int main(void) {
  run_many(RING, station, 0, 0);
  assert(value[RING] == 1); //~[free] assertion
  return 0;
}
