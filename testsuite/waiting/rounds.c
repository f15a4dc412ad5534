//@ verdict: safe
//@ revisions: j1 j2 j3 both spin shared called scoped w2 misses counts writes hands_over silent unordered
//@[j1] cflags: -DJOBS=1
//@[j2] cflags: -DJOBS=2
//@[j3] cflags: -DJOBS=3
//@[both] cflags: -DJOBS=1 -DBOTH
//@[spin] cflags: -DJOBS=1 -DSPIN
//@[shared] cflags: -DJOBS=1 -DSHARED
//@[called] cflags: -DJOBS=1 -DCALLED
//@[scoped] cflags: -DJOBS=1 -DSCOPED
//@[w2] cflags: -DJOBS=2 -DWORKERS=2
//@[misses] cflags: -DJOBS=1 -DMISSES
//@[counts] cflags: -DJOBS=1 -DCOUNTS
//@[writes] cflags: -DJOBS=1 -DWRITES
//@[hands_over] cflags: -DJOBS=1 -DHANDS_OVER
//@[silent] cflags: -DJOBS=1 -DSILENT
//@[misses counts writes hands_over silent] verdict: unsafe(assertion)
//@[unordered] cflags: -DJOBS=1 -DUNORDERED
//@[unordered] verdict: unsafe(data-race)
//@ cutoffs: needed
// A worker looks for jobs under a lock until an atomic flag is set: each turn has several actions. Where it finds
// nothing and the flag is not set, nobody notices that turn; or the worker itself does, by a number or by what it
// writes; or another thread does, which can have the lock only because the worker gives it back in a turn. Or what
// only such turns read is written without the lock, after the worker has gone on and told so without order.
// (How many executions there are with sequences is in tests/cli/waiting.rs.)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
#ifndef WORKERS
#define WORKERS 1
#endif
#ifdef SPIN
static pthread_spinlock_t m;
#define LOCK pthread_spin_lock
#define UNLOCK pthread_spin_unlock
#elif defined(SHARED)
static pthread_rwlock_t m = PTHREAD_RWLOCK_INITIALIZER;
#define LOCK pthread_rwlock_wrlock
#define UNLOCK pthread_rwlock_unlock
#else
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#define LOCK pthread_mutex_lock
#define UNLOCK pthread_mutex_unlock
#endif
static pthread_mutex_t other_m = PTHREAD_MUTEX_INITIALIZER;
static int queue[JOBS], count, done, other, turns;
static atomic_int stop, gone;

static int take(int *job) {
  LOCK(&m);
  int found = count > 0;
  if (found) *job = queue[--count];
#ifdef WRITES
  else if (turns < 3)
    turns++;
#elif defined(SILENT)
  else
    turns = 1;
#elif defined(UNORDERED)
  else if (other) //~[unordered] data-race
    turns = 1;
#endif
  UNLOCK(&m);
  return found;
}

#ifdef CALLED
static int goes_on(void) { return !atomic_load(&stop); }
#else
#define goes_on() (!atomic_load(&stop))
#endif

static void *worker(void *arg) {
  int looked = 0, mine = 0;
#ifndef SCOPED
  int job;
#endif
#ifdef HANDS_OVER
  LOCK(&m);
  atomic_store(&gone, 1);
  while (goes_on()) {
    UNLOCK(&m);
    LOCK(&m);
  }
  UNLOCK(&m);
#else
  while (goes_on()) {
#ifdef SCOPED
    int job;
#endif
    if (take(&job)) mine += job;
#ifdef COUNTS
    if (looked < 3) looked++;
#endif
#ifdef BOTH
    pthread_mutex_lock(&other_m);
    if (other) mine++;
    pthread_mutex_unlock(&other_m);
#endif
    usleep(100);
  }
#endif
  assert(looked != 3); //~[counts] assertion
  LOCK(&m);
  done += mine;
  assert(turns != 3); //~[writes] assertion
  UNLOCK(&m);
#ifdef UNORDERED
  atomic_store_explicit(&gone, 1, memory_order_relaxed);
#endif
  return 0;
}

static void *follows(void *arg) {
  if (atomic_load_explicit(&gone, memory_order_relaxed)) other = 1; //~[unordered] data-race
  return 0;
}

int main(void) {
#ifdef SPIN
  pthread_spin_init(&m, 0);
#endif
  pthread_t threads[WORKERS];
  for (int i = 0; i < WORKERS; i++)
    pthread_create(&threads[i], 0, worker, 0);
#ifdef UNORDERED
  pthread_t last;
  pthread_create(&last, 0, follows, 0);
#endif
  for (int i = 0; i < JOBS; i++) {
    LOCK(&m);
    queue[count++] = 1;
    UNLOCK(&m);
  }
#ifdef HANDS_OVER
  if (!atomic_load(&gone)) return 0;
  LOCK(&m);
  atomic_store(&stop, 1);
  UNLOCK(&m);
  pthread_join(threads[0], 0);
  assert(0); //~[hands_over] assertion
#endif
#ifdef SILENT
  LOCK(&m);
  int was = turns;
  turns = 0;
  UNLOCK(&m);
  LOCK(&m);
  assert(!was || !turns); //~[silent] assertion
  UNLOCK(&m);
#endif
  atomic_store(&stop, 1);
  for (int i = 0; i < WORKERS; i++)
    pthread_join(threads[i], 0);
#ifdef UNORDERED
  pthread_join(last, 0);
#endif
#ifdef MISSES
  assert(done == JOBS); //~[misses] assertion
#endif
  assert(done <= JOBS);
  return 0;
}
