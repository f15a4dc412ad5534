//@ verdict: safe
//@ native: run
//@ revisions: n2 n3 try
//@[n2] cflags: -DN=2
//@[n2] executions: 2
//@[n3] cflags: -DN=3
//@[n3] executions: 6
//@[try] cflags: -DN=2 -DTRY
//@[try] executions: 4
//@ source: by hand: n threads have the lock in n! orders; of two that try, one comes before or behind the other, or finds that it has the lock: 2 + 2
// Spin locks.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int hits, missed[N];

static void *count(void *arg) {
#ifdef TRY
  int error = pthread_spin_trylock(&lock);
  assert(error == 0 || error == EBUSY);
  if (error) {
    missed[(long)arg] = 1;
    return 0;
  }
#else
  assert(pthread_spin_lock(&lock) == 0);
#endif
  hits++;
  pthread_spin_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t threads[N];
  assert(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE) == 0);
  for (long i = 0; i < N; i++)
    pthread_create(&threads[i], 0, count, (void *)i);
  int expected = N;
  for (int i = 0; i < N; i++) {
    pthread_join(threads[i], 0);
    expected -= missed[i];
  }
  assert(hits == expected && hits > 0);
  assert(pthread_spin_destroy(&lock) == 0);
}
