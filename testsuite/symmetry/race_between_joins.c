//@ verdict: unsafe(data-race)
//@ alike: 2
//@ source: the thread that counts first writes x; if that is the second one, main reads x while it may be written. Threads that begin in the order of their creation never show that, but for what main knows of them
#include <pthread.h>
#include <stdatomic.h>
static atomic_int count;
static int x;

static void *thread(void *arg) {
  if (atomic_fetch_add(&count, 1) == 0)
    x = 1;
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, thread, 0);
  pthread_create(&second, 0, thread, 0);
  pthread_join(first, 0);
  int seen = x; //~ data-race
  pthread_join(second, 0);
  return seen;
}
