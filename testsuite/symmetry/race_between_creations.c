//@ verdict: unsafe(data-race)
//@ alike: 2
//@ source: the thread that counts last reads x; if that is the first one, main may be writing x
#include <pthread.h>
#include <stdatomic.h>
static atomic_int count;
static int x, seen;

static void *thread(void *arg) {
  if (atomic_fetch_add_explicit(&count, 1, memory_order_relaxed) == 1)
    seen = x; //~ data-race
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, thread, 0);
  x = 1;
  pthread_create(&second, 0, thread, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
