//@ revisions: plain atomic bytes large packed
//@ orders: 2
//@[plain large packed] verdict: unsafe(data-race)
//@[atomic bytes] verdict: safe
//@[atomic bytes large packed] args: --volatile atomic
//@[atomic bytes] assumes: volatile-is-atomic sequential-consistency
//@[atomic bytes] executions: 2
//@[atomic bytes] source: the read comes before or after the write
//@[bytes] cflags: -DTYPE=char
//@[large] cflags: -DTYPE=__int128
//@[packed] cflags: -DTYPE=odd
// In C, volatile is no synchronisation. As atomic it is what a processor does in one go: an aligned word, and no more.
#include "../threads.h"
typedef long odd __attribute__((aligned(1)));
#ifndef TYPE
#define TYPE int
#endif
static volatile TYPE flag;

static void *setter(void *arg) {
  flag = 1; //~[plain large packed] data-race
  return 0;
}

static void *getter(void *arg) {
  return flag ? arg : 0; //~[plain large packed] data-race
}

int main(void) {
  run_all(2, (routine *[]){setter, getter});
  return 0;
}
