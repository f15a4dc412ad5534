//@ verdict: unsafe(assertion)
//@ source: by hand: two reads between which both writes happen
//@ orders: 3
//@ args: --max-executions 60
//@ cutoffs: needed
// A thread that counts for ever makes every state a new one and every execution endless. What the others do takes a few
// actions only, and is seen all the same.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
static atomic_ulong ticks;
static atomic_int first, second;

static void *clock_thread(void *arg) {
  while (1)
    ticks++;
}

static void *writer(void *arg) {
  first = 1;
  second = 1;
  return 0;
}

static void *reader(void *arg) {
  int b = second, a = first;
  assert(b == a); //~ assertion
  return 0;
}

int main(void) {
  run_all(3, (routine *[]){clock_thread, writer, reader});
  return 0;
}
