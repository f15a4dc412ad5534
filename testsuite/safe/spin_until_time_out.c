//@ verdict: safe
//@ executions: 1
//@ source: own; main waits for the thread, and nobody else does anything
// Nobody sets the flag: the thread gives up, so this is no livelock.
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int flag;

static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_nsec;
}

static void *wait_for_flag(void *arg) {
  long began = now();
  while (!atomic_load(&flag) && now() - began < 20000) {
  }
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, wait_for_flag, 0);
  pthread_join(thread, 0);
}
