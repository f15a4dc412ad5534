//@ revisions: poll round held hand readers spin both own third owner beside set over counts tally own_tally tries semaphore
//@[poll] cflags: -DPOLL
//@[round] cflags: -DROUND
//@[held] cflags: -DHELD
//@[hand] cflags: -DHAND
//@[readers] cflags: -DREADERS
//@[spin] cflags: -DSPIN
//@[both] cflags: -DBOTH
//@[own] cflags: -DOWN
//@[third] cflags: -DPOLL -DTHIRD
//@[owner] cflags: -DPOLL -DOWNER
//@[beside] cflags: -DPOLL -DBESIDE
//@[set] cflags: -DPOLL -DSET
//@[over] cflags: -DPOLL -DOVER
//@[counts] cflags: -DCOUNTS
//@[tally] cflags: -DCOUNTS -DTALLY
//@[own_tally] cflags: -DOWN_TALLY
//@[tries] cflags: -DTRIES
//@[semaphore] cflags: -DSEMAPHORE
//@[poll round held hand readers spin both own tally own_tally third beside] verdict: unsafe(livelock)
//@[owner] verdict: unsafe(deadlock)
//@[set over counts tries semaphore] verdict: safe
//@ source: by hand: a thread that takes a lock, looks, and gives it back changes nothing, so nobody ever does
//@ cutoffs: needed
// Threads look for something under locks, and it never comes: they spin as surely as if they took no lock. It comes
// (set), the process ends (over), or each turn changes something (counts): these are none, but nobody looks at the tally. Neither are attempts and
// semaphores, by which others notice that somebody has been there (tries, semaphore). It depends on the engine at which
// of its actions a thread is found, so that each loop is one line.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t one;
static atomic_int stop;
static int done, turns, ready[2];
static _Thread_local unsigned mine;
#define lock pthread_mutex_lock
#define unlock pthread_mutex_unlock

static void *looks(void *arg) {
  int found = 0;
#if defined(POLL)
  while (!found) lock(&m), found = done, unlock(&m); //~[poll third] livelock //~[owner] deadlock
#elif defined(ROUND)
  while (!stop) lock(&m), found = done, unlock(&m); //~[round] livelock
#elif defined(HELD)
  lock(&m);
  while (!done) unlock(&m), lock(&m); //~[held] livelock
  unlock(&m);
#elif defined(HAND)
  lock(&m);
  while (!done) lock(&n), unlock(&m), lock(&m), unlock(&n); //~[hand] livelock
  unlock(&m);
#elif defined(READERS)
  while (!found) pthread_rwlock_rdlock(&shared), found = done, pthread_rwlock_unlock(&shared); //~[readers] livelock
#elif defined(SPIN)
  while (!found) pthread_spin_lock(&spin), found = done, pthread_spin_unlock(&spin); //~[spin] livelock
#elif defined(BOTH)
  int me = *(int *)arg;
  while (!found) lock(&m), found = ready[1 - me], unlock(&m); //~[both] livelock
  lock(&m), ready[me] = 1, unlock(&m);
#elif defined(OWN)
  int seen[] = {0, 0};
  while (!seen[0]) lock(&m), seen[0] = done, seen[1] = 3, unlock(&m); //~[own] livelock
#elif defined(COUNTS)
  while (!stop) lock(&m), turns = (turns + 1) % 3, unlock(&m); //~[tally] livelock
#elif defined(OWN_TALLY)
  while (!found) lock(&m), found = done, unlock(&m), mine = (mine + 1) & 1; //~[own_tally] livelock
#elif defined(TRIES)
  while (!stop)
    if (!pthread_mutex_trylock(&m)) unlock(&m);
#elif defined(SEMAPHORE)
  while (!stop) sem_wait(&one), sem_post(&one);
#endif
  return 0;
}

static void *waits(void *arg) {
  lock(&n);
  unlock(&n);
  return 0;
}

static void *reads(void *arg) {
  while (!stop) //~[beside] livelock
    ;
  return 0;
}

int main(void) {
  pthread_t thread, second;
  int seats[] = {0, 1};
  pthread_spin_init(&spin, 0);
  sem_init(&one, 0, 1);
#if defined(THIRD)
  lock(&n);
  pthread_create(&second, 0, waits, 0);
#elif defined(OWNER)
  lock(&m);
#elif defined(BESIDE)
  pthread_create(&second, 0, reads, 0);
#elif defined(BOTH) || defined(READERS) || defined(SPIN)
  pthread_create(&second, 0, looks, &seats[1]);
#endif
  pthread_create(&thread, 0, looks, &seats[0]);
#if defined(SET)
  lock(&m), done = 1, unlock(&m);
#elif defined(OVER)
  return 0;
#endif
  pthread_join(thread, 0);
#if defined(COUNTS) && !defined(TALLY)
  return turns;
#endif
  return 0;
}
