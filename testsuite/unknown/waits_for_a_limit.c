//@ revisions: long short
//@ args: --check assertion,memory,deadlock,livelock,endless-loop --max-steps 20000
//@[long] verdict: unknown(step)
//@[long] cflags: -DTIMES=100000
//@[short] verdict: safe
//@[short] cflags: -DTIMES=100
//@ cutoffs: needed
// A thread comes to a limit: that the other one waits for it for ever is no violation.
#include <pthread.h>
static volatile int done;

static void *worker(void *arg) {
  unsigned sum = 0;
  for (unsigned i = 0; i < TIMES; i++)
    sum += i;
  done = 1;
  return sum == 1 ? arg : 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  while (!done) {
  }
  pthread_join(thread, 0);
  return 0;
}
