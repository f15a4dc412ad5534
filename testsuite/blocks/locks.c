//@ revisions: holds apart tried raced posted lost
//@[holds apart tried posted] verdict: safe
//@[holds] executions: 2
//@[holds] source: the two orders of the blocks; that each stops before the lock is seen by nobody
//@[apart] cflags: -DAPART
//@[apart] executions: 1
//@[apart] source: the blocks have nothing in common
//@[tried] cflags: -DTRIED
//@[tried] executions: 3
//@[tried] source: the attempt comes before the other thread's section, within it (and fails), or after it
//@[raced] cflags: -DTRIED -DRACED
//@[raced] verdict: unsafe(data-race)
//@[posted] cflags: -DPOSTED
//@[posted] executions: 1
//@[posted] source: the main thread waits for the post
//@[lost] cflags: -DLOST
//@[lost] verdict: unsafe(deadlock)
// Locks and semaphores within atomic blocks.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int data[2];

static void section(int which) {
  __VERIFIER_atomic_begin();
  pthread_mutex_lock(&locks[which]);
  data[which]++;
  pthread_mutex_unlock(&locks[which]);
  __VERIFIER_atomic_end();
}

static void *first(void *semaphore) {
#if defined TRIED
  __VERIFIER_atomic_begin();
  int is_mine = pthread_mutex_trylock(&locks[0]) == 0;
  __VERIFIER_atomic_end();
#ifdef RACED
  data[0] = 1; //~[raced] data-race
#endif
  if (is_mine) {
    data[0] = 1;
    pthread_mutex_unlock(&locks[0]);
  }
#elif defined POSTED
  data[0] = 1;
  __VERIFIER_atomic_begin();
  sem_post(semaphore);
  data[1] = 1;
  __VERIFIER_atomic_end();
#elif defined LOST
  __VERIFIER_atomic_begin();
  pthread_mutex_lock(&locks[0]);
  __VERIFIER_atomic_end();
#else
  section(0);
#endif
  return semaphore;
}

static void *second(void *arg) {
#if defined TRIED
  pthread_mutex_lock(&locks[0]);
  data[0] = 2;
  pthread_mutex_unlock(&locks[0]);
#elif defined APART
  section(1);
#elif !defined POSTED && !defined LOST
  section(0);
#endif
  return arg;
}

int main(void) {
  pthread_t threads[2];
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  pthread_create(&threads[0], 0, first, &semaphore);
  pthread_create(&threads[1], 0, second, 0);
#ifdef POSTED
  sem_wait(&semaphore);
  assert(data[0] == 1);
#endif
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
#ifdef LOST
  pthread_mutex_lock(&locks[0]); //~[lost] deadlock
#elif !defined TRIED && !defined POSTED
  assert(data[0] + data[1] == 2);
#endif
}
