//@ revisions: reads reads_wrong plainly detached by_another later before_later for_ever at_exit turns burns left_by_main
//@[reads by_another before_later turns burns] verdict: safe
//@[reads_wrong plainly at_exit] verdict: unsafe(assertion)
//@[detached later left_by_main] verdict: unsafe(data-race)
//@[for_ever] verdict: unsafe(livelock)
//@[for_ever] cutoffs: needed
//@[reads] cflags: -DREADS
//@[reads_wrong] cflags: -DREADS -DWRONG
//@[plainly] cflags: -DPLAINLY
//@[detached] cflags: -DDETACHED
//@[by_another] cflags: -DBY_ANOTHER
//@[later] cflags: -DLATER
//@[before_later] cflags: -DBEFORE_LATER
//@[for_ever] cflags: -DFOR_EVER
//@[at_exit] cflags: -DAT_EXIT
//@[turns] cflags: -DTURNS
//@[burns] cflags: -DBURNS
//@[burns] args: --max-steps 1000
//@[left_by_main] cflags: -DLEFT_BY_MAIN
//@[reads] executions: 2
//@[by_another before_later turns burns] executions: 1
//@ source: own; two stores of different values have two orders, and what a thread does after it has joined all others has one
// What a thread does when all others are over and joined comes after all that they did. When one is not joined, it may
// not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int x, flag;
static int plain;
static pthread_t first, second, third;

static void *stores(void *arg) {
  atomic_store(&x, arg ? 2 : 1);
  return 0;
}

static void *writes(void *arg) {
  plain++;
  return 0;
}

static void *joins_first(void *arg) {
  pthread_join(first, 0);
  return 0;
}

static void *joins_and_writes(void *arg) {
  pthread_join(first, 0);
  plain++; //~[left_by_main] data-race
  return 0;
}

static void looks(void) {
  assert(atomic_load(&x) != 1); //~[at_exit] assertion
}

int main(void) {
#if defined READS || defined PLAINLY || defined AT_EXIT
  pthread_create(&first, 0, stores, 0);
  pthread_create(&second, 0, stores, &x);
  pthread_join(first, 0);
  pthread_join(second, 0);
#ifdef PLAINLY
  assert(*(int *)&x != 1); //~[plainly] assertion
#elif defined AT_EXIT
  atexit(looks);
#else
  int seen = atomic_load(&x);
#ifdef WRONG
  assert(seen != 1); //~[reads_wrong] assertion
#endif
  assert(seen == 1 || seen == 2);
  assert(atomic_fetch_add(&x, 1) == seen && atomic_load(&x) == seen + 1);
#endif
#elif defined DETACHED
  pthread_create(&first, 0, writes, 0);
  pthread_create(&second, 0, stores, 0);
  pthread_detach(first);
  pthread_join(second, 0);
  plain++; //~[detached] data-race
#elif defined BY_ANOTHER
  pthread_create(&first, 0, writes, 0);
  pthread_create(&second, 0, joins_first, 0);
  pthread_join(second, 0);
  plain++;
#elif defined LATER || defined BEFORE_LATER
  pthread_create(&first, 0, writes, 0);
  pthread_join(first, 0);
  plain++;
  pthread_create(&second, 0, writes, 0);
#ifdef LATER
  plain++; //~[later] data-race
  pthread_join(second, 0);
#else
  pthread_join(second, 0);
  assert(plain == 3);
#endif
#elif defined FOR_EVER
  pthread_create(&first, 0, stores, 0);
  pthread_join(first, 0);
  while (!atomic_load(&flag)) //~[for_ever] livelock
    ;
#elif defined TURNS
  pthread_create(&first, 0, stores, 0);
  pthread_join(first, 0);
  for (int i = 0; i < 40; i++)
    atomic_fetch_add(&x, i % 2);
  assert(atomic_load(&x) == 21);
#elif defined BURNS
  // No stretch between two operations has more than 1000 instructions, all together have.
  pthread_create(&first, 0, stores, 0);
  pthread_join(first, 0);
  for (int i = 0; i < 100; i++)
    plain += i;
  atomic_store(&x, plain);
  for (int i = 0; i < 100; i++)
    plain += i;
  atomic_store(&flag, plain);
  assert(atomic_load(&flag) == 2 * atomic_load(&x));
#else
  pthread_create(&first, 0, stores, 0);
  pthread_create(&second, 0, joins_and_writes, 0);
  plain++; //~[left_by_main] data-race
  pthread_exit(0);
#endif
  return 0;
}
