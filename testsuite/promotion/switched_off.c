//@ verdict: unknown(data race on `c`)
//@ args: --check assertion --interference sync
//@ executions: 1
//@ promoted: 0
//@ source: the accesses are not visible, and nothing else conflicts
// Without promotion there is no answer for a program that races, if the race is not what is looked for.
#include "../threads.h"
static int c;

static void *add(void *arg) {
  c++;
  return 0;
}

int main(void) {
  run_copies(2, add);
  return 0;
}
