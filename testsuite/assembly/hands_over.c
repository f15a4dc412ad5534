//@ revisions: moves compiler
//@ orders: 2
//@[moves] verdict: safe
//@[moves] executions: 2
//@[moves] source: the flag is read before or after it is written
//@[compiler] verdict: unsafe(data-race)
//@[compiler] cflags: -DPLAIN
// A store of this processor is a release, and a load an acquire. A barrier for the compiler alone is neither.
#include "../threads.h"
#include <assert.h>
static int data, ready;

static void *writes(void *arg) {
  data = 1;
#ifdef PLAIN
  __asm__ volatile("" ::: "memory");
  ready = 1; //~[compiler] data-race
#else
  __asm__ volatile("movl %1, %0" : "=m"(ready) : "r"(1) : "memory");
#endif
  return arg;
}

static void *reads(void *arg) {
  int seen;
#ifdef PLAIN
  seen = ready; //~[compiler] data-race
  __asm__ volatile("" ::: "memory");
#else
  __asm__ volatile("movl %1, %0" : "=r"(seen) : "m"(ready) : "memory");
#endif
  if (seen)
    assert(data == 1);
  return arg;
}

int main(void) {
  run_all(2, (routine *[]){writes, reads});
}
