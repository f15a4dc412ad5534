//@ revisions: more operation operand twice order atomic_order signed within elsewhere alike ungiven
//@[more operation operand twice order atomic_order signed within elsewhere] verdict: unsafe(assertion)
//@[more] cflags: -DBEHIND=if(n)atomic_fetch_add(&me->all,1);else(atomic_fetch_add(&me->all,2)) -DCHECK=me->all==2
//@[operation] cflags: -DBEGINS=2 -DBEHIND=if(n)atomic_fetch_add(&me->all,2);else(atomic_fetch_or(&me->all,2)) -DCHECK=me->all==2
//@[operand] cflags: -DBEGINS=2 -DTURN=n^=2 -DBEHIND=if(n==1)abort();me->sum=(me->sum+n)&4 -DCHECK=me->sum==0
//@[twice] cflags: -DBEGINS=1 -DTURN=n^=3 -DBEHIND=if(n==1)abort();me->sum=(me->sum|(n^1))+(n^2) -DCHECK=me->sum==3
//@[order] cflags: -DBEHIND=if(n)me->sum^=2,me->sum+=2;else(me->sum+=2),me->sum^=2 -DCHECK=me->sum==0
//@[atomic_order] cflags: -DBEHIND=if(n)me->all^=2,me->all+=2;else(me->all+=2),me->all^=2 -DCHECK=me->all==0
//@[signed] cflags: -DBEHIND=if(n)me->balance++;else(me->balance--) -DCHECK=me->balance==-1
//@[within] cflags: -DTURN=n^=1;if(atomic_load(&other)==1){if(n)me->sum|=1;else(me->sum|=2);} -DFIRST=atomic_store(&other,1);atomic_store(&other,0) -DCHECK=me->sum!=2
//@[elsewhere] cflags: -DTURN=if(atomic_load(&flag)){me->sum^=2;break;} -DBEHIND=me->sum+=3 -DCHECK=me->sum==3
//@[alike] verdict: safe
//@[alike] cflags: -DBEHIND=if(n)atomic_fetch_add(&me->all,1);else(atomic_fetch_add(&me->all,2)) -DCHECK=me->sum==0
//@[alike] awaits: 1
//@[ungiven] verdict: unsafe(uninitialised)
//@[ungiven] cflags: -DALLOCATE=malloc(sizeof(*me)) -DBEHIND=me->sum|=~(size_t)0-n;printf("%zu",me->sum)
//@ cutoffs: needed
//@ source: after one turn the sum is another one than after none
// What a thread adds up behind a loop depends on the number of turns, and somebody looks at it but in alike.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#ifndef BEGINS
#define BEGINS 0
#endif
#ifndef TURN
#define TURN n ^= 1
#endif
#ifndef FIRST
#define FIRST
#endif
#ifndef BEHIND
#define BEHIND
#endif

struct sums {
  size_t sum;
  atomic_size_t all;
  int balance;
};

static atomic_int flag, other;

static void *waits(void *arg) {
  struct sums *me = arg;
  size_t n = 0;
  while (!atomic_load(&flag)) {
    TURN;
  }
  BEHIND; //~[ungiven] uninitialised
  return arg;
}

int main(void) {
  pthread_t thread;
#ifdef ALLOCATE
  struct sums *me = ALLOCATE;
#else
  struct sums *me = calloc(1, sizeof(*me));
  me->sum = BEGINS;
  me->all = BEGINS;
#endif
  pthread_create(&thread, 0, waits, me);
  FIRST;
  atomic_store(&flag, 1);
  pthread_join(thread, 0);
#ifdef CHECK
  assert(CHECK); //~[more operation operand twice order atomic_order signed within elsewhere] assertion
#endif
  (void)other;
  free(me);
  return 0;
}
