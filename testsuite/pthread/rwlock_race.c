//@ revisions: readers writer
//@[readers] verdict: unsafe(data-race)
//@[readers] cflags: -DLOCK=pthread_rwlock_rdlock
//@[writer] verdict: safe
//@[writer] cflags: -DLOCK=pthread_rwlock_wrlock
//@[writer] executions: 2
//@ source: by hand: two readers hold the lock at once, and what one leaves behind the other does not wait for
// Who only reads under the lock must not write.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int hits;

static void *count(void *arg) {
  LOCK(&lock);
  hits++; //~[readers] data-race
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, count, 0);
  pthread_create(&two, 0, count, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
}
