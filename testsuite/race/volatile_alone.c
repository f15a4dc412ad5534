//@ verdict: safe
//@ args: --volatile atomic
//@ executions: 1
//@ events: 4
//@ source: two creations and two ends, as joins and the end of the process are parts of other actions; what no thread can share is no action
// A volatile variable that is only used by its name belongs to one thread: its accesses are no actions.
#include "../threads.h"

static void *delays(void *arg) {
  for (volatile int i = 0; i < 100; i++)
    ;
  return 0;
}

int main(void) {
  run_copies(2, delays);
  return 0;
}
