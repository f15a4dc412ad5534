//@ revisions: heap shared atomic given counted twice helper told self set awaited never_given races
//@[heap shared atomic given counted twice helper] verdict: safe
//@[heap] cflags: -DADD=lock->spins+=turns
//@[shared] cflags: -DADD=shared.spins+=turns
//@[atomic] cflags: -DADD=atomic_fetch_add(&lock->all,turns)
//@[given] cflags: -DADD=lock->spins+=turns*2+1 -DBEHIND=printf("%zu",lock->spins)
//@[counted] cflags: -DADD=lock->spins+=turns;lock->taken++
//@[twice] cflags: -DADD=lock->spins+=turns;atomic_fetch_or(&lock->all,turns) -DBEHIND=sum+=lock->spins+lock->all;printf("%zu",sum)
//@[helper] cflags: -DADD=note(lock,turns)
//@[heap shared atomic given counted twice helper] awaits: 2
//@[told self set awaited] verdict: unsafe(assertion)
//@[told] cflags: -DADD=lock->spins+=turns -DBEHIND=assert(lock->spins<2)
//@[self] cflags: -DADD=lock->spins+=turns;assert(lock->spins<2)
//@[set] cflags: -DADD=lock->spins=turns -DBEHIND=assert(lock->spins<2)
//@[awaited] cflags: -DADD=atomic_fetch_or(&lock->all,turns) -DBEHIND=assert(!atomic_exchange(&lock->all,0))
//@[never_given] verdict: unsafe(uninitialised)
//@[never_given] cflags: -DADD=lock->spins+=turns -DGIVEN -DBEHIND=assert(lock->spins<100)
//@[races] verdict: unsafe(data-race)
//@[races] cflags: -DADD=shared.spins+=turns -DFIRST=shared.spins=1
//@ cutoffs: needed
//@ source: two threads take a ticket lock in either order, and nobody looks at what they add up but told, self, set and awaited
// A thread counts its turns in a register, and adds that up where an address leads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#ifndef FIRST
#define FIRST
#endif
#ifndef BEHIND
#define BEHIND
#endif

struct lock {
  atomic_uint next, owner;
  atomic_size_t all;
  size_t spins, taken;
};

static struct lock shared;
static int data;

static void note(struct lock *lock, size_t turns) {
  lock->spins += turns;
  atomic_fetch_add(&lock->all, turns);
}

static void *works(void *arg) {
  struct lock *lock = arg;
  unsigned me = atomic_fetch_add(&lock->next, 1);
  size_t turns = 0;
#ifdef GIVEN
  size_t *given = malloc(sizeof(*given));
  turns = *given;
  free(given);
#endif
  while (atomic_load(&lock->owner) != me)
    turns = (turns + 1) & 3;
  ADD; //~[self] assertion //~[races] data-race
  data++;
  atomic_fetch_add(&lock->owner, 1);
  return arg;
}

static void *starts(void *arg) {
  FIRST;
  return arg;
}

int main(void) {
  pthread_t threads[3];
  struct lock *lock = calloc(1, sizeof(*lock));
  pthread_create(&threads[2], 0, starts, 0);
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, works, lock);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], 0);
  size_t sum = 0;
  (void)sum, (void)note, (void)shared;
  BEHIND; //~[told set awaited] assertion //~[never_given] uninitialised
  assert(data == 2);
  free(lock);
  return 0;
}
