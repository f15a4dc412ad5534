//@ verdict: unsafe(data-race)
//@ args: --merge-ends on
// What a thread does behind a join, before any other action, races with a thread that is still running.
#include <pthread.h>
#include <stdatomic.h>
static int shared;
static atomic_int other;
static pthread_t first;

static void *quick(void *arg) {
  atomic_store(&other, 1);
  return 0;
}

static void *joins(void *arg) {
  pthread_join(first, 0);
  shared = 1; //~ data-race
  return 0;
}

static void *writes(void *arg) {
  atomic_store(&other, 2);
  shared = 2; //~ data-race
  return 0;
}

int main(void) {
  pthread_t second, third;
  pthread_create(&first, 0, quick, 0);
  pthread_create(&second, 0, joins, 0);
  pthread_create(&third, 0, writes, 0);
  pthread_join(second, 0);
  pthread_join(third, 0);
  return 0;
}
