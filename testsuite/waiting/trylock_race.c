//@ verdict: unsafe(data-race)
//@ revisions: mutex spin reads semaphore
//@[spin] cflags: -DSPIN
//@[reads] cflags: -DREADS
//@[semaphore] cflags: -DSEMAPHORE
//@ cutoffs: needed
// A thread tries to lock what another one overwrites.
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#ifdef SPIN
static pthread_spinlock_t lock;
#define TRY pthread_spin_trylock
#define LOCK pthread_spin_lock
#elif defined(READS)
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
#define TRY pthread_rwlock_tryrdlock
#define LOCK pthread_rwlock_wrlock
#elif defined(SEMAPHORE)
static sem_t lock;
#define TRY sem_trywait
#define LOCK(lock) sem_init(lock, 0, 0)
#else
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define TRY pthread_mutex_trylock
#define LOCK pthread_mutex_lock
#endif

static void *tries(void *arg) {
  while (TRY(&lock)) //~ data-race
    ;
  return 0;
}

int main(void) {
  pthread_t thread;
#ifdef SPIN
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
#endif
  LOCK(&lock);
  pthread_create(&thread, 0, tries, 0);
  memset((void *)&lock, 0, sizeof lock); //~ data-race
  return 0;
}
