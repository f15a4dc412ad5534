//@ verdict: unknown(a thread blocks inside of an atomic block)
// A block begins while the other thread holds the lock that it needs. Whether it has begun then, or waits as a whole, no standard says.
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
  __VERIFIER_atomic_begin();
  pthread_mutex_lock(&m);
  __VERIFIER_atomic_end();
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
