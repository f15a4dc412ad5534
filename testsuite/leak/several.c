//@ verdict: unsafe(leak)
//@ executions: 2
//@ source: each thread takes the lock once
// Whoever comes second loses the other one's block: two places, each reported once.
#include "../threads.h"
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char *current;

static void set(char *block) {
  pthread_mutex_lock(&m);
  current = block;
  pthread_mutex_unlock(&m);
}

static void *first(void *arg) {
  (void)arg;
  set(malloc(1)); //~ leak
  return 0;
}

static void *second(void *arg) {
  (void)arg;
  set(malloc(2)); //~ leak
  return 0;
}

int main(void) {
  run_all(2, (routine *const[]){first, second});
  return 0;
}
