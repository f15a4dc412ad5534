//@[n2 n4 spin c11] verdict: safe
//@ revisions: n2 n4 kept spin c11
//@[n2] cflags: -DN=2
//@[n2] awaits: 2
//@[n4] cflags: -DN=4
//@[n4] awaits: 24
//@[kept] cflags: -DN=2 -DKEPT
//@[kept] verdict: unsafe(livelock)
//@[spin] cflags: -DN=3 -DSPIN
//@[c11] cflags: -DN=3 -DC11
//@[spin c11] awaits: 6
//@ cutoffs: needed
//@ source: n! orders of the sections; with KEPT the second one never comes
// Threads try to lock until they can.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#ifdef SPIN
#define LOCK_TYPE pthread_spinlock_t
#define TRY pthread_spin_trylock
#define UNLOCK pthread_spin_unlock
static LOCK_TYPE lock;
#elif defined(C11)
#include <threads.h>
#define TRY mtx_trylock
#define UNLOCK mtx_unlock
static mtx_t lock;
#else
#define LOCK_TYPE pthread_mutex_t
#define TRY pthread_mutex_trylock
#define UNLOCK pthread_mutex_unlock
static LOCK_TYPE lock = PTHREAD_MUTEX_INITIALIZER;
#endif
static int count;

static void *counts(void *arg) {
  while (TRY(&lock) != 0) //~[kept] livelock
    sched_yield();
  count++;
#ifndef KEPT
  UNLOCK(&lock);
#endif
  return 0;
}

int main(void) {
#ifdef SPIN
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
#elif defined(C11)
  mtx_init(&lock, mtx_plain);
#endif
  pthread_t threads[N];
  for (int i = 0; i < N; i++)
    pthread_create(&threads[i], 0, counts, 0);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
  assert(count == N);
  return 0;
}
