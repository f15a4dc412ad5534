//@ revisions: unordered joined
//@[unordered] verdict: unsafe(data-race)
//@[unordered] cflags: -DLATE
//@[unordered] args: --check data-race
//@[joined] verdict: safe
//@[joined] cflags: -DEARLY
//@[joined] native: run
// The end of a block is a write of every byte of its variables.
#include <pthread.h>

static void *add(void *arg) {
  *(int *)arg += 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  {
    int n = 1;
    pthread_create(&thread, 0, add, &n);
#ifdef EARLY
    pthread_join(thread, 0);
#endif
  } //~[unordered] data-race
#ifdef LATE
  pthread_join(thread, 0);
#endif
  return 0;
}
