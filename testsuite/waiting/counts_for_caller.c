//@ revisions: unread member read read_again kept again twice stays
//@[unread] verdict: safe
//@[unread] cflags: -DUNREAD
//@[unread] awaits: 1
//@[member] verdict: safe
//@[member] cflags: -DMEMBER
//@[member] awaits: 1
//@[read] verdict: unsafe(assertion)
//@[read] cflags: -DREAD
//@[read_again] verdict: unsafe(assertion)
//@[read_again] cflags: -DREAD_AGAIN
//@[kept] verdict: unsafe(assertion)
//@[kept] cflags: -DKEPT
//@[again] verdict: safe
//@[again] cflags: -DAGAIN
//@[again] awaits: 1
//@[twice] verdict: safe
//@[twice] cflags: -DTWICE
//@[twice] awaits: 2
//@[stays] verdict: unsafe(livelock)
//@[stays] cflags: -DSTAYS
//@ cutoffs: needed
//@ source: nobody looks at the number of turns but read, read_again and kept, whose threads may have done any number
// A function counts the turns of its loop where its caller said, which looks at that or not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int *kept;

struct worker {
  int turns, number;
};

// (The counter comes back to where it was, so that a thread that waits for nothing has few states.)
static int waits(int *turns) {
  while (!atomic_load(&flag)) //~[stays] livelock
    *turns = (*turns + 1) % 8;
  return *turns;
}

static void works(struct worker *worker) {
  while (!atomic_load(&flag))
    worker->turns = (worker->turns + worker->number) % 8;
}

static void *sets(void *arg) {
  atomic_store(&flag, 1);
  return arg;
}

static void *sets_twice(void *arg) {
  atomic_store(&flag, 2);
  atomic_store(&flag, 1);
  return arg;
}

int main(void) {
  pthread_t thread;
  int turns = 0;
#if defined MEMBER
  pthread_create(&thread, 0, sets, 0);
  struct worker worker = {0, 3};
  works(&worker);
  assert(worker.number == 3);
#elif defined TWICE
  // The loop ends with either value.
  pthread_create(&thread, 0, sets_twice, 0);
  waits(&turns);
#elif defined STAYS
  pthread_create(&thread, 0, sets, 0);
  pthread_join(thread, 0);
  atomic_store(&flag, 0);
  waits(&turns);
#else
  pthread_create(&thread, 0, sets, 0);
#ifdef KEPT
  kept = &turns;
#endif
  int found = waits(&turns);
#if defined READ
  assert(turns != 2); //~[read] assertion
#elif defined READ_AGAIN
  assert(found != 2); //~[read_again] assertion
#elif defined KEPT
  assert(*kept != 2); //~[kept] assertion
#elif defined AGAIN
  turns = 7;
  assert(waits(&turns) == 7);
#endif
  (void)found;
#endif
#ifndef STAYS
  pthread_join(thread, 0);
#endif
  return 0;
}
