//@ verdict: unknown(execution)
//@ args: --max-executions 5
//@ naive: no
#include "../threads.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int sections;

static void *section(void *arg) {
  pthread_mutex_lock(&m);
  sections++;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  run_copies(4, section);
  return 0;
}
