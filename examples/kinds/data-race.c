// A worker says by a flag that its result is there.
#include <pthread.h>
#include <stdio.h>

static int result;
static int ready;

static void *worker(void *unused) {
  result = 42;
  ready = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  if (ready)
    printf("%d\n", result);
  pthread_join(thread, 0);
}
