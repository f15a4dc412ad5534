//@ verdict: unsafe(assertion)
// A thread waits twice on a futex, each time not for long, another one for ever, and one of them is woken. The first wait
// may be the one that ends so, and the second one end when its time is over.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
long syscall(long, ...);
static const struct timespec soon = {1, 0};
static atomic_int place;
static long woken, first, second;

static void *wakes(void *arg) {
  woken = syscall(202, &place, 1, 1);
  return arg;
}

static void *waits_twice(void *arg) {
  first = syscall(202, &place, 0, 0, &soon);
  second = syscall(202, &place, 0, 0, &soon);
  return arg;
}

static void *waits(void *arg) {
  syscall(202, &place, 0, 0, 0L);
  return arg;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, wakes, 0);
  pthread_create(&threads[1], 0, waits_twice, 0);
  pthread_create(&threads[2], 0, waits, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  assert(woken == 0 || first == -1 || second == 0); //~ assertion
  return 0;
}
