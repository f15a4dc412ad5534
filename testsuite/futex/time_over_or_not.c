//@ verdict: safe
//@ executions: 4
//@ source: the wake-up comes before both waits, or after the first and its time and before the second (2), or wakes either (2)
// One thread waits for a time, one for ever, and a third one wakes one of them.
#include "futex.h"
#include <pthread.h>
#include <time.h>
static const struct timespec soon = {1, 0};
static atomic_int word;

static void *waits_for_a_time(void *arg) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &soon);
  return arg;
}

static void *wakes(void *arg) {
  futex_wake(&word, 1);
  return arg;
}

static void *waits(void *arg) {
  futex_wait(&word, 0);
  return arg;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, waits_for_a_time, 0);
  pthread_create(&threads[1], 0, wakes, 0);
  pthread_create(&threads[2], 0, waits, 0);
  return 0;
}
