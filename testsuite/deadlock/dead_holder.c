//@ revisions: recursive errorcheck normal spin write read unlock
//@ verdict: unsafe(deadlock)
//@[recursive] cflags: -DKIND=PTHREAD_MUTEX_RECURSIVE
//@[errorcheck] cflags: -DKIND=PTHREAD_MUTEX_ERRORCHECK
//@[normal] cflags: -DKIND=PTHREAD_MUTEX_NORMAL
//@[spin] cflags: -DSPIN
//@[write] cflags: -DWRITE
//@[read] cflags: -DREAD
//@[unlock] cflags: -DKIND=PTHREAD_MUTEX_NORMAL -DUNLOCK
//@[unlock] verdict: unsafe(misuse)
//@ source: POSIX: a lock belongs to the thread that has taken it, also when that thread is over; the next one is another one
// Threads that come one after the other, and end with what they hold. With cutoffs the handle of one that was joined is
// given to the next one, which must not be taken for it.
#define _GNU_SOURCE
#include <pthread.h>
#ifdef SPIN
static pthread_spinlock_t lock;
#elif defined KIND
static pthread_mutex_t lock;
#else
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
#endif

static void *hold(void *number) {
#ifdef SPIN
  pthread_spin_lock(&lock); //~[spin] deadlock
#elif defined UNLOCK
  if (number)
    pthread_mutex_unlock(&lock); //~[unlock] misuse
  else
    pthread_mutex_lock(&lock);
#elif defined KIND
  pthread_mutex_lock(&lock); //~[recursive errorcheck normal] deadlock
#elif defined WRITE
  pthread_rwlock_wrlock(&lock); //~[write] deadlock
#else
  number ? pthread_rwlock_wrlock(&lock) : pthread_rwlock_rdlock(&lock); //~[read] deadlock
#endif
  return 0;
}

int main(void) {
#ifdef KIND
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, KIND);
  pthread_mutex_init(&lock, &attributes);
#elif defined SPIN
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
#endif
  for (long number = 0; number < 2; number++) {
    pthread_t thread;
    pthread_create(&thread, 0, hold, (void *)number);
    pthread_join(thread, 0);
  }
  return 0;
}
