//@ revisions: counted own member helper signed left reset exchange unread races told summed kept taken address near grown much pieces
//@[counted own member helper signed left reset exchange unread pieces] verdict: safe
//@[counted] cflags: -DCOUNT=spins=(spins+1)&7
//@[own] cflags: -DOWN=_Thread_local -DCOUNT=spins=(spins+1)&7
//@[member] cflags: -DCOUNT=all.spins^=5
//@[helper] cflags: -DCOUNT=note()
//@[signed] cflags: -DTYPE=int -DCOUNT=spins++
//@[left] cflags: -DTYPE=int -DCOUNT=spins=(spins+1)%8
//@[pieces] cflags: -DTYPE=int -DCOUNT=spins++;if(atomic_load(&lock))break
//@[signed pieces] assumes: few-turns
//@[signed pieces grown much] states: no
//@[reset] cflags: -DCOUNT=spins=(spins+1)&7 -DBEHIND=spins=0
//@[counted own member helper signed left reset] awaits: 1
//@[exchange] cflags: -DEXCHANGE -DWAITERS=2 -DOWN=_Thread_local -DCOUNT=spins^=3
//@[exchange] awaits: 2
//@[unread] cflags: -DWAITERS=2 -DOWN=_Thread_local -DCOUNT=spins=3
//@[unread] awaits: 1
//@[races] verdict: unsafe(data-race)
//@[races] cflags: -DWAITERS=2 -DCOUNT=spins=(spins+1)&7
//@[told] verdict: unsafe(assertion)
//@[told] cflags: -DCOUNT=spins=(spins+1)&7 -DBEHIND=assert(spins<2)
//@[summed] verdict: unsafe(assertion)
//@[summed] cflags: -DCOUNT=spins=(spins+1)&7 -DBEHIND=assert(spins+last<2)
//@[kept] verdict: unsafe(assertion)
//@[kept] cflags: -DCOUNT=last=(spins=(spins+1)&7) -DBEHIND=assert(last<2)
//@[taken] verdict: unsafe(assertion)
//@[taken] cflags: -DCOUNT=seen=spins=(spins+1)&7 -DLEFT=assert(seen<2)
//@[address] verdict: unsafe(assertion)
//@[address] cflags: -DCOUNT=spins=(spins+1)&7 -DBEHIND=looks(&spins)
//@[near] verdict: unsafe(overflow)
//@[near] cflags: -DTYPE=int -DFIRST=2147483645 -DCOUNT=spins++
//@[grown] verdict: unsafe(overflow)
//@[grown] cflags: -DTYPE=int -DFIRST=536870912 -DBEFORE=for(int(i)=0;i<6291455;i++)spins+=256 -DCOUNT=spins+=256
//@[much] verdict: unsafe(overflow)
//@[much] cflags: -DTYPE=int -DFIRST=536870912 -DCOUNT=for(int(i)=0;i<1500;i++)spins+=256
//@ cutoffs: needed
//@ source: nobody looks at the number of turns but told, summed, kept, taken and address, whose threads may have done any number; two threads take a lock in two orders (exchange); two threads that count in one variable race
// A thread counts its turns in a variable of the program.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#ifndef TYPE
#define TYPE unsigned
#endif
#ifndef OWN
#define OWN
#endif
#ifndef FIRST
#define FIRST 0
#endif
#ifndef WAITERS
#define WAITERS 1
#endif
#ifndef BEFORE
#define BEFORE
#endif
#ifndef LEFT
#define LEFT
#endif
#ifndef BEHIND
#define BEHIND
#endif

static atomic_int flag, lock;
static OWN TYPE spins = FIRST;
static unsigned last;
static struct {
  unsigned failures, spins;
} all;
static int data;

static void note(void) {
  all.spins ^= 9;
}

static void looks(unsigned *turns) {
  assert(*turns < 2); //~[address] assertion
}

static void *waits(void *arg) {
  unsigned seen = 0;
  (void)seen;
  BEFORE;
#ifdef EXCHANGE
  int free = 0;
  while (!atomic_compare_exchange_strong(&lock, &free, 1)) {
    COUNT;
    free = 0;
  }
  data++;
  atomic_store(&lock, 0);
#else
  while (!atomic_load(&flag)) {
    COUNT; //~[races] data-race //~[near grown much] overflow
  }
  LEFT; //~[taken] assertion
#endif
  return arg;
}

static void *sets(void *arg) {
  atomic_store(&flag, 1);
  return arg;
}

int main(void) {
  pthread_t threads[WAITERS + 1];
  for (int i = 0; i < WAITERS; i++)
    pthread_create(&threads[i], 0, waits, 0);
  pthread_create(&threads[WAITERS], 0, sets, 0);
  for (int i = 0; i <= WAITERS; i++)
    pthread_join(threads[i], 0);
  BEHIND; //~[told summed kept] assertion
  (void)last, (void)looks, (void)note, (void)data;
  return all.failures;
}
