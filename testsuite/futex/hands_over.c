//@ revisions: woken too_late
//@ args: --check data-race
//@[woken] verdict: safe
//@[too_late] verdict: unsafe(data-race)
//@[too_late] cflags: -DTOO_LATE
// A thread that is woken knows what the waker has done. One that finds the word changed by a relaxed store knows nothing.
#include "futex.h"
#include <pthread.h>
static atomic_uint word;
static int data;

static void *waits(void *arg) {
  long result = futex_wait(&word, 0);
#ifdef TOO_LATE
  if (result == -1)
    data++; //~[too_late] data-race
#else
  if (result == 0)
    data++;
#endif
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, waits, 0);
  data = 1; //~[too_late] data-race
  atomic_store_explicit(&word, 1, memory_order_relaxed);
  futex_wake(&word, 1);
  pthread_join(thread, 0);
}
