//@ verdict: unsafe(misuse)
// Two threads join one. Main is the first of them here, and then creates another thread, which may have the same number.
// The other one may come to its join before that, and finds that there is nothing to join.
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static pthread_t first;

static void *stores(void *arg) {
  atomic_store(&x, 1);
  return arg;
}

static void *joins(void *arg) {
  pthread_join(first, 0); //~ misuse
  return arg;
}

int main(void) {
  pthread_t second, other;
  pthread_create(&first, 0, stores, 0);
  pthread_create(&other, 0, joins, 0);
  pthread_join(first, 0); //~ misuse
  pthread_create(&second, 0, stores, 0);
  pthread_join(other, 0);
  return 0;
}
