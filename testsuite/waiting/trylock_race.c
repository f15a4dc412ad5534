//@ verdict: unsafe(data-race)
//@ revisions: mutex spin
//@[spin] cflags: -DSPIN
//@ cutoffs: needed
// A thread tries to lock what another one overwrites.
#include <pthread.h>
#include <string.h>
#ifdef SPIN
static pthread_spinlock_t lock;
#define TRY pthread_spin_trylock
#define LOCK pthread_spin_lock
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
