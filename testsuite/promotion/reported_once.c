//@ verdict: unsafe(data-race)
//@ executions: 4
//@ promoted: 2
//@ source: Wx Wy beside Rx Ry: each pair in either order, which never exclude each other
//@ orders: 2
// When the exploration goes on after a race, the place is promoted: what comes behind it is seen too.
#include "../threads.h"
#include <assert.h>
static int x, y;

static void *writer(void *arg) {
  x = 1; //~ data-race
  y = 1; //~ data-race
  return 0;
}

static void *reader(void *arg) {
  int a = x;      //~ data-race
  int b = y;      //~ data-race
  assert(a || b); //~ assertion
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){writer, reader});
  return 0;
}
