//@ verdict: unsafe(assertion)
//@ orders: 2
// A violation is a violation, whatever else is not known.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
extern void mystery(void);
static atomic_int x;

static void *writer(void *arg) {
  x = 1 + (int)(long)arg;
  return 0;
}

int main(void) {
  run_copies(2, writer);
  if (x == 1)
    mystery();
  else
    assert(0); //~ assertion
  return 0;
}
