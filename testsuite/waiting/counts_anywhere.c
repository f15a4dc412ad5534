//@ revisions: heap stack indexed updated member signed wide printed summed reset twice awaited told self taken used compared copied fetched exchanged asked spoilt freed early races near added gone constant late
//@[heap stack indexed updated member signed wide printed summed reset twice awaited] verdict: safe
//@[heap] cflags: -DHEAP -DCOUNT=me->spins=(me->spins+1)&7
//@[stack] cflags: -DCOUNT=me->spins^=5
//@[indexed] cflags: -DSHARED -DCOUNT=shared[me->number].spins^=5
//@[updated] cflags: -DHEAP -DCOUNT=atomic_fetch_xor(&me->tries,5)
//@[member] cflags: -DCOUNT=atomic_fetch_xor(&statistics.spins,5) -DWAITERS=2
//@[signed] cflags: -DHEAP -DTYPE=int -DCOUNT=me->spins++
//@[wide] cflags: -DHEAP -DTYPE=size_t -DCOUNT=me->spins=(me->spins+1)&7 -DWAITERS=2
//@[printed] cflags: -DHEAP -DCOUNT=me->spins=(me->spins+1)&7 -DBEHIND=printf("%u",of(0)->spins)
//@[summed] cflags: -DHEAP -DTYPE=size_t -DCOUNT=me->spins=(me->spins+1)&7 -DBEHIND=sum+=of(0)->spins;printf("%zu",sum)
//@[reset] cflags: -DCOUNT=me->spins=(me->spins+1)&7 -DBEHIND=of(0)->spins=0
//@[twice] cflags: -DHEAP -DCOUNT=me->spins=(me->spins+1)&7;me->turns=(me->turns+1)&3;atomic_fetch_xor(&me->tries,1)
//@[heap stack indexed updated member signed wide printed summed reset twice] awaits: 1
//@[signed near spoilt] states: no
//@[signed] assumes: few-turns
//@[awaited] cflags: -DHEAP -DCOUNT=atomic_fetch_or(&me->tries,1) -DFIRST=while(!atomic_load(&of(0)->tries))
//@[told] verdict: unsafe(assertion)
//@[told] cflags: -DHEAP -DCOUNT=me->spins=(me->spins+1)&7 -DBEHIND=assert(of(0)->spins<2)
//@[self] verdict: unsafe(assertion)
//@[self] cflags: -DHEAP -DCOUNT=me->spins=(me->spins+1)&7 -DLEFT=assert(me->spins<2)
//@[taken] verdict: unsafe(assertion)
//@[taken] cflags: -DHEAP -DCOUNT=seen=me->spins=(me->spins+1)&7 -DLEFT=assert(seen<2)
//@[used] verdict: unsafe(assertion)
//@[used] cflags: -DHEAP -DTYPE=size_t -DCOUNT=me->spins=(me->spins+1)&7 -DBEHIND=sum=of(0)->spins++;if(turns)abort();assert(sum<2)
//@[compared] verdict: unsafe(assertion)
//@[compared] cflags: -DHEAP -DCOUNT=atomic_fetch_xor(&me->tries,1) -DBEHIND=turns=memcmp(&of(0)->tries,&zero,4);printf("%d",of(0)->number);assert(!turns)
//@[copied] verdict: unsafe(assertion)
//@[copied] cflags: -DHEAP -DCOUNT=me->spins=(me->spins+1)&7 -DBEHIND=looks(of(0))
//@[fetched] verdict: unsafe(assertion)
//@[fetched] cflags: -DHEAP -DCOUNT=atomic_fetch_xor(&me->tries,1) -DBEHIND=assert(!atomic_fetch_add(&of(0)->tries,1))
//@[exchanged] verdict: unsafe(assertion)
//@[exchanged] cflags: -DHEAP -DCOUNT=atomic_fetch_xor(&me->tries,1) -DBEHIND=assert(atomic_compare_exchange_strong(&of(0)->tries,&zero,9))
//@[asked] verdict: unsafe(assertion)
//@[asked] cflags: -DHEAP -DCOUNT=atomic_fetch_or(&me->tries,1) -DFIRST=assert(!atomic_load(&of(0)->tries))
//@[spoilt] verdict: unsafe(livelock)
//@[spoilt] cflags: -DHEAP -DCOUNT=atomic_fetch_or(&me->tries,1) -DFIRST=while(atomic_load(&of(0)->tries)<2)
//@[freed early gone constant] verdict: unsafe(memory)
//@[freed] cflags: -DHEAP -DCOUNT=me->spins=(me->spins+1)&7 -DFIRST=free(of(0))
//@[early] cflags: -DHEAP -DCOUNT=atomic_fetch_xor(&me->tries,1) -DFIRST=free(of(0))
//@[gone] cflags: -DHEAP -DLAST=4 -DCOUNT=me->turns=(me->turns+1)&7
//@[constant] cflags: -DCONSTANT -DCOUNT=me->spins=(me->spins+1)&7
//@[races late] verdict: unsafe(data-race)
//@[races] cflags: -DHEAP -DCOUNT=of(0)->spins=(of(0)->spins+1)&7 -DWAITERS=2
//@[late] cflags: -DHEAP -DCOUNT=me->spins=(me->spins+1)&7 -DFIRST=of(0)->spins=1
//@[near added] verdict: unsafe(overflow)
//@[near] cflags: -DHEAP -DTYPE=int -DBEGINS=2147483645 -DCOUNT=me->spins++
//@[added] cflags: -DHEAP -DTYPE=int -DCOUNT=me->spins=(me->spins+1)&7 -DBEHIND=turns=2147483647;turns+=of(0)->spins;printf("%d",turns)
//@ cutoffs: needed
//@ source: nobody looks at the number of turns in the safe revisions but awaited, where a thread waits until there was one; the others may take any number of turns, access what is not there, or race
// A thread counts its turns in memory to which it has a pointer.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef TYPE
#define TYPE unsigned
#endif
#ifndef WAITERS
#define WAITERS 1
#endif
#ifndef BEGINS
#define BEGINS 0
#endif
#ifndef LAST
#define LAST 0
#endif
#ifndef FIRST
#define FIRST
#endif
#ifndef LEFT
#define LEFT
#endif
#ifndef BEHIND
#define BEHIND
#endif

struct waiter {
  int number;
  atomic_uint tries;
  TYPE spins, turns;
};

static atomic_int flag;
static struct waiter *waiters;
static struct waiter shared[WAITERS];
static const struct waiter fixed;
static struct {
  atomic_uint locks, spins;
} statistics;

static struct waiter *of(int waiter) {
  return &waiters[waiter];
}

static void looks(struct waiter *waiter) {
  struct waiter copy = *waiter;
  assert(copy.spins < 2); //~[copied] assertion
}

static void *waits(void *arg) {
  struct waiter *me = arg;
  TYPE seen = 0;
  (void)seen;
  while (!atomic_load(&flag)) {
    COUNT; //~[freed early gone constant] memory //~[races late] data-race //~[near] overflow //~[spoilt] livelock
  }
  LEFT; //~[self taken] assertion
  return me;
}

static void *sets(void *arg) {
  FIRST; //~[asked] assertion
  atomic_store(&flag, 1);
  return arg;
}

int main(void) {
  struct waiter own[WAITERS] = {0};
  pthread_t threads[WAITERS + 1];
  waiters = own;
#ifdef HEAP
  waiters = calloc(1, WAITERS * sizeof(*waiters) - LAST);
#endif
#ifdef SHARED
  waiters = shared;
#endif
#ifdef CONSTANT
  waiters = (struct waiter *)&fixed;
#else
  for (int i = 0; i < WAITERS; i++) {
    waiters[i].number = i;
    waiters[i].spins = BEGINS;
  }
#endif
  for (int i = 0; i < WAITERS; i++)
    pthread_create(&threads[i], 0, waits, &waiters[i]);
  pthread_create(&threads[WAITERS], 0, sets, 0);
  for (int i = 0; i <= WAITERS; i++)
    pthread_join(threads[i], 0);
  size_t sum = 0;
  int turns = 0;
  unsigned zero = 0;
  BEHIND; //~[told used compared fetched exchanged] assertion //~[added] overflow
  (void)sum, (void)turns, (void)zero, (void)looks, (void)shared, (void)fixed, (void)statistics;
#ifdef HEAP
  free(waiters); //~[freed early] memory
#endif
  return 0;
}
