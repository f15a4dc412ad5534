//@ revisions: within behind both stack shared updated member signed summed printed reset_within told told_behind told_sum self reset two never never_behind never_shared never_signed plain
//@[within behind both stack shared updated member signed plain summed printed reset_within] verdict: safe
//@[within] cflags: -DWITHIN=me->spins++
//@[behind] cflags: -DBEHIND=me->spins++
//@[both] cflags: -DWITHIN=me->spins++ -DBEHIND=me->tries++
//@[stack] cflags: -DSTACK -DWITHIN=me->spins^=5 -DBEHIND=me->spins++
//@[shared] cflags: -DN=2 -DWITHIN=statistics.spins++
//@[updated] cflags: -DN=2 -DBEHIND=atomic_fetch_add(&statistics.tries,1)
//@[member] cflags: -DN=2 -DWITHIN=count(&me->number)
//@[signed] cflags: -DBEHIND=me->ups++
//@[plain] cflags: -DWITHIN=plain++
//@[summed] cflags: -DN=2 -DTURN=turns++ -DAFTER=me->spins+=turns
//@[printed] cflags: -DBEHIND=me->spins++ -DEND=printf("%lu",waiters[0].spins)
//@[reset_within] cflags: -DWITHIN=me->spins++ -DSET=waiters[0].spins=0
//@[within behind both stack signed plain printed reset_within] in-vain: 1
//@[updated member summed] in-vain: 3
//@[shared] in-vain: 4
//@[within behind both stack updated member signed plain summed printed reset_within] awaits: 1
//@[shared] awaits: 2
//@[told told_behind told_sum self] verdict: unsafe(assertion)
//@[told] cflags: -DWITHIN=me->spins=(me->spins+1)&7 -DEND=assert(waiters[0].spins<2)
//@[told_behind] cflags: -DBEHIND=me->spins=(me->spins+1)&7 -DEND=assert(waiters[0].spins<2)
//@[told_sum] cflags: -DTURN=turns=(turns+1)&7 -DAFTER=me->spins+=turns -DEND=assert(waiters[0].spins<2)
//@[self] cflags: -DBEHIND=me->spins=(me->spins+1)&7 -DAFTER=assert(me->spins<2)
//@[reset two] verdict: unsafe(data-race)
//@[reset] cflags: -DBEHIND=me->spins=(me->spins+1)&7 -DSET=waiters[0].spins=0
//@[two] cflags: -DN=2 -DBEHIND=statistics.spins++
//@[never never_behind never_shared never_signed] verdict: unsafe(livelock)
//@[never] cflags: -DDONE=0 -DWITHIN=me->spins++
//@[never_behind] cflags: -DDONE=0 -DBEHIND=me->spins++ -DTURN=turns++
//@[never_shared] cflags: -DDONE=0 -DN=2 -DWITHIN=statistics.spins++
//@[never_signed] cflags: -DDONE=0 -DWITHIN=plain++
//@ cutoffs: needed
//@ states: no
//@ source: each thread goes on when `done` is set, in one way; any of them may have looked before that, in vain. Sections that count in one word are in order, 2
// Threads lock a mutex, look, and unlock it again and again, and count how often: where an address leads, with the
// mutex or without it. Nobody looks at that, or somebody does, or somebody else writes there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#ifndef N
#define N 1
#endif
#ifndef WITHIN
#define WITHIN
#endif
#ifndef BEHIND
#define BEHIND
#endif
#ifndef TURN
#define TURN
#endif
#ifndef AFTER
#define AFTER
#endif
#ifndef SET
#define SET
#endif
#ifndef END
#define END
#endif
#ifndef DONE
#define DONE 1
#endif
struct waiter {
  unsigned long spins, tries;
  unsigned number;
  int ups;
};
static struct {
  unsigned long spins;
  atomic_ulong tries;
} statistics;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int done, plain;

static void count(unsigned *number) { ++*number; }

static void *wait(void *argument) {
  struct waiter *me = argument;
  size_t turns = 0;
  for (;;) {
    pthread_mutex_lock(&m); //~[never never_behind never_shared never_signed] livelock
    if (done) {
      pthread_mutex_unlock(&m);
      break;
    }
    WITHIN;
    pthread_mutex_unlock(&m);
    BEHIND; //~[two] data-race
    TURN;
  }
  AFTER; //~[self] assertion
  (void)me, (void)turns, (void)count;
  return NULL;
}

int main(void) {
  pthread_t threads[N];
#ifdef STACK
  struct waiter waiters[N] = {0};
#else
  struct waiter *waiters = calloc(N, sizeof *waiters);
#endif
  for (int i = 0; i < N; i++) pthread_create(&threads[i], NULL, wait, &waiters[i]);
  pthread_mutex_lock(&m);
  done = DONE;
  SET; //~[reset] data-race
  pthread_mutex_unlock(&m);
  for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
  END; //~[told told_behind told_sum] assertion
  (void)statistics, (void)plain;
#ifndef STACK
  free(waiters);
#endif
  return 0;
}
