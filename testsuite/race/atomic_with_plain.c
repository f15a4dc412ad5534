//@ revisions: read write
//@ verdict: unsafe(data-race)
//@[read] cflags: -DPLAIN=sum=*(int*)&x
//@[write] cflags: -DPLAIN=*(int*)&x=1
//@ orders: 2
// An atomic access and a plain one to the same cell race, unless both read.
#include "../threads.h"
#include <stdatomic.h>
static atomic_int x;
static int sum;

static void *atomic(void *arg) {
  atomic_store(&x, 2); //~ data-race
  return 0;
}

static void *plain(void *arg) {
  PLAIN; //~ data-race
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){atomic, plain});
  return sum == 7;
}
