//@ verdict: safe
//@ revisions: condition pause method changing counting
//@[condition] cflags: -DCONDITION
//@[condition] awaits: 1
//@[pause] cflags: -DPAUSE
//@[method] cflags: -DMETHOD
//@[pause method] awaits: 6
//@[changing] cflags: -DCHANGING
//@[counting] cflags: -DCOUNTING
//@[counting] verdict: unsafe(assertion)
//@ cutoffs: needed
//@ source: n! orders of n sections; whoever waits goes on when the flag is set, in one way
// Loops that call functions by their addresses: what they wait for, how they pause, and how they try is given to them.
#include "../threads.h"
#include <assert.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>
static atomic_int flag, asked;

#if defined(CONDITION) || defined(COUNTING)
static bool is_set(void *flag) {
#ifdef COUNTING
  if (asked < 3) asked++;
#endif
  return atomic_load((atomic_int *)flag) == 1;
}

static void wait_until(bool (*holds)(void *), void *of) {
  while (!holds(of))
    ;
}

static void *waits(void *arg) {
  wait_until(is_set, &flag);
  assert(asked < 3); //~[counting] assertion
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, waits, 0);
  flag = 1;
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  return 0;
}
#elif defined(PAUSE)
static void yields(void) {
  sched_yield();
}

static void sleeps(void) {
  usleep(10);
}

static void goes_on(void) {}

static void (*const pauses[])(void) = {yields, sleeps, goes_on};
static int sections;

static void *uses(void *arg) {
  while (atomic_exchange(&flag, 1))
    pauses[(long)arg]();
  sections++;
  flag = 0;
  return 0;
}

int main(void) {
  pthread_t threads[3];
  for (long i = 0; i < 3; i++)
    pthread_create(&threads[i], 0, uses, (void *)i);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], 0);
  return 0;
}
#elif defined(METHOD)
struct lock {
  bool (*try)(struct lock *);
  atomic_int held;
};

static bool try(struct lock *lock) {
  int free = 0;
  return atomic_compare_exchange_strong(&lock->held, &free, 1);
}

static struct lock *lock;
static int sections;

static void *uses(void *arg) {
  while (!lock->try(lock))
    sched_yield();
  sections++;
  atomic_store(&lock->held, 0);
  return 0;
}

int main(void) {
  lock = malloc(sizeof *lock);
  lock->try = try;
  lock->held = 0;
  run_copies(3, uses);
  free(lock);
  return 0;
}
#else
// Which function is called changes while the thread waits: the second one does not look at the flag.
static bool looks(void) {
  return flag;
}

static bool holds(void) {
  return true;
}

static bool (*_Atomic condition)(void) = looks;

static void *waits(void *arg) {
  while (!atomic_load(&condition)())
    ;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, waits, 0);
  condition = holds;
  pthread_join(thread, 0);
  return 0;
}
#endif
