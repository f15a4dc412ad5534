//@ verdict: safe
//@ executions: 2
//@ source: the orders of two read-modify-writes
//@ orders: 2
//@ native: run
// The process lives on until its last thread has ended.
#include "../threads.h"
#include <stdatomic.h>
static atomic_int running = 2;

static void *worker(void *arg) {
  running--;
  return 0;
}

int main(void) {
  start_all(2, (routine *[]){worker, worker});
  pthread_exit(0);
}
