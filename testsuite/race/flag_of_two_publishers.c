//@ verdict: unsafe(data-race)
// As in safe/flag_of_two_publishers.c, but one of the two has not made anything: only who reads its flag, and not the other's,
// reads what is just being made.
#include <pthread.h>
#include <stdatomic.h>
static atomic_int ready;
static int made;

static void *make(void *arg) {
  made = 42; //~ data-race
  atomic_store_explicit(&ready, 1, memory_order_release);
  return 0;
}

static void *pretend(void *arg) {
  atomic_store_explicit(&ready, 1, memory_order_release);
  return 0;
}

static void *use(void *arg) {
  int found = 0;
  if (atomic_load_explicit(&ready, memory_order_acquire))
    found = made; //~ data-race
  return (void *)(long)found;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, make, 0);
  pthread_create(&threads[1], 0, pretend, 0);
  pthread_create(&threads[2], 0, use, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], 0);
  return 0;
}
