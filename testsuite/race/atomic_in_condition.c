//@ verdict: unsafe(data-race)
// Nobody may look into a condition variable that another thread may be using, not even atomically.
#include <pthread.h>
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *meddler(void *arg) {
  __atomic_store_n((int *)&c, 0, __ATOMIC_SEQ_CST); //~ data-race
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, meddler, 0);
  pthread_cond_destroy(&c); //~ data-race
  pthread_join(t, 0);
  return 0;
}
