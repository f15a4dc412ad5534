//@ verdict: unsafe(assertion)
//@ executions: 6
//@ source: three sections of one lock, 3! orders; the third thread sees 3 only if both others have come before
// Three threads with one lock: the last one fails in two of the six orders.
#include "../threads.h"
#include <assert.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *add(void *arg) {
  pthread_mutex_lock(&m);
  data += 1 + (int)(long)arg;
  pthread_mutex_unlock(&m);
  return 0;
}

static void *check(void *arg) {
  (void)arg;
  pthread_mutex_lock(&m);
  assert(data < 3); //~ assertion
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  run_all(3, (routine *const[]){add, add, check});
  return 0;
}
