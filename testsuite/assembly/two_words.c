//@ verdict: safe
//@ orders: 2
//@ executions: 2
//@ source: one exchanges before the other, whose exchange fails
// An exchange of two words at once, whose registers the text names.
#include "../threads.h"
#include <assert.h>
#include <stdint.h>
typedef struct {
  uint64_t low, high;
} Pair __attribute__((aligned(16)));
static Pair shared;
static int done[2];

static int exchange(Pair *target, Pair *expected, Pair *new) {
  unsigned char success;
  __asm__ volatile("movq 0(%4), %%rax;"
                   "movq 8(%4), %%rdx;"
                   "lock; cmpxchg16b %0; setz %1"
                   : "+m"(*target), "=q"(success)
                   : "b"(new->low), "c"(new->high), "q"(expected)
                   : "memory", "cc", "%rax", "%rdx");
  return success;
}

static void *tries(void *arg) {
  Pair expected = {0, 0}, new = {1 + (uint64_t)arg, 7};
  done[(long)arg] = exchange(&shared, &expected, &new);
  return arg;
}

int main(void) {
  run_copies(2, tries);
  assert(done[0] + done[1] == 1 && shared.low == (done[0] ? 1 : 2) && shared.high == 7);
}
