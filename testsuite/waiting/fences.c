//@ verdict: unsafe(data-race)
//@ revisions: acquire acquire_in_turn release
//@[acquire] cflags: -DACQUIRE
//@[acquire_in_turn] cflags: -DACQUIRE_IN_TURN
//@[release] cflags: -DRELEASE
//@ cutoffs: needed
// Whether a thread has passed a fence depends on how many turns its loop has had: these turns are not alike.
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag, passed;
static int data;

static void *waits(void *arg) {
  int turn = 0;
#ifdef ACQUIRE
  for (;; turn ^= 1)
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
      if (turn == 0) atomic_thread_fence(memory_order_acquire);
      break;
    }
  data++; //~[acquire] data-race
#elif defined(ACQUIRE_IN_TURN)
  for (;; turn ^= 1) {
    int seen = atomic_load_explicit(&flag, memory_order_relaxed);
    if (turn == 0) atomic_thread_fence(memory_order_acquire);
    if (seen) break;
  }
  data++; //~[acquire_in_turn] data-race
#elif defined(RELEASE)
  data = 1;
  for (;; turn ^= 1)
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
      if (turn == 0) atomic_thread_fence(memory_order_release);
      break;
    }
  atomic_store_explicit(&passed, 1, memory_order_relaxed);
#endif
  return arg;
}

static void *sets(void *arg) {
#ifdef RELEASE
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  if (atomic_load_explicit(&passed, memory_order_acquire)) data++; //~[release] data-race
#else
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_release);
#endif
  return arg;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, waits, 0);
  pthread_create(&other, 0, sets, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  return 0;
}
