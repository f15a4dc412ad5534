//@ verdict: unsafe(data-race)
//@ orders: 2
// volatile is no synchronisation.
#include "../threads.h"
static volatile int flag;

static void *setter(void *arg) {
  flag = 1; //~ data-race
  return 0;
}

static void *getter(void *arg) {
  return flag ? arg : 0; //~ data-race
}

int main(void) {
  run_all(2, (routine *[]){setter, getter});
  return 0;
}
