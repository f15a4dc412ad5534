// The flag is atomic: who sees 1 in it also sees what was written before.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static int result;
static atomic_int ready;

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
