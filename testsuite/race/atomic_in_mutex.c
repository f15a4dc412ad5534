//@ verdict: unsafe(data-race)
//@ revisions: written destroyed
//@[destroyed] cflags: -DDESTROYED
// A mutex must not be reset, and not looked into, while another thread may be using it.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *meddler(void *arg) {
#ifdef DESTROYED
  for (unsigned i = 0; i < sizeof m / sizeof(int); i++)
    __atomic_load_n((int *)&m + i, __ATOMIC_SEQ_CST); //~[destroyed] data-race
#else
  __atomic_fetch_and((int *)&m, 0, __ATOMIC_SEQ_CST); //~[written] data-race
#endif
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, meddler, 0);
#ifdef DESTROYED
  pthread_mutex_destroy(&m); //~[destroyed] data-race
#else
  pthread_mutex_lock(&m); //~[written] data-race
  pthread_mutex_unlock(&m); //~[written] data-race
#endif
  pthread_join(t, 0);
  return 0;
}
