//@ verdict: safe
//@[w2r2] slow: naive
//@ native: run
//@ revisions: r1 r3 w1r1 w1r3 w2r1 w2r2
//@[r1] cflags: -DREADERS=1 -DWRITERS=0
//@[r1] executions: 1
//@[r3] cflags: -DREADERS=3 -DWRITERS=0
//@[r3] executions: 1
//@[w1r1] cflags: -DREADERS=1 -DWRITERS=1
//@[w1r1] executions: 2
//@[w1r3] cflags: -DREADERS=3 -DWRITERS=1
//@[w1r3] executions: 8
//@[w1r3] naive: no
//@[w2r1] cflags: -DREADERS=1 -DWRITERS=2
//@[w2r1] executions: 6
//@[w2r2] cflags: -DREADERS=2 -DWRITERS=2
//@[w2r2] executions: 18
//@ source: by hand: w writers have w! orders, and each reader comes before all or behind one of them, whatever other readers do: w! * (w+1)^r
// Readers see what writers leave behind, and do not depend on one another.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int a, b;

static void *reader(void *arg) {
  pthread_rwlock_rdlock(&lock);
  assert(a == b);
  pthread_rwlock_unlock(&lock);
  return 0;
}

static void *writer(void *arg) {
  pthread_rwlock_wrlock(&lock);
  a++;
  b++;
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t threads[READERS + WRITERS];
  for (int i = 0; i < READERS + WRITERS; i++)
    pthread_create(&threads[i], 0, i < READERS ? reader : writer, 0);
  for (int i = 0; i < READERS + WRITERS; i++)
    pthread_join(threads[i], 0);
  assert(a == WRITERS);
  assert(pthread_rwlock_destroy(&lock) == 0);
}
