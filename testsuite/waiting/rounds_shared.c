//@ verdict: safe
//@ cutoffs: needed
// Two threads go round and read under a lock that both may have at a time: whether a round is in vain is a matter of
// what its own thread does to the lock.
#include <pthread.h>
#include <stdatomic.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int stop, value;

static void *looks(void *arg) {
  int seen = 0;
  while (!stop) {
    pthread_rwlock_rdlock(&lock);
    seen = value;
    pthread_rwlock_unlock(&lock);
  }
  return 0;
}

static void *changes(void *arg) {
  value = 2;
  return 0;
}

int main(void) {
  pthread_t first, second, third;
  pthread_create(&first, 0, looks, 0);
  pthread_create(&second, 0, looks, 0);
  pthread_create(&third, 0, changes, 0);
  stop = 1;
  pthread_join(first, 0);
  pthread_join(second, 0);
  pthread_join(third, 0);
  return 0;
}
