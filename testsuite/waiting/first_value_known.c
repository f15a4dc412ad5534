//@ verdict: safe
//@ revisions: heap stack each queue early early_own several
//@[heap] cflags: -DHEAP
//@[stack] cflags: -DSTACK
//@[heap stack] awaits: 6
//@[each] cflags: -DEACH
//@[each] awaits: 1
//@[queue] cflags: -DQUEUE
//@[early] cflags: -DEARLY
//@[early] verdict: unsafe(uninitialised)
//@[early_own] cflags: -DEARLY -DOWN
//@[early_own] verdict: unsafe(uninitialised)
//@[several] cflags: -DSEVERAL
//@[several] verdict: unsafe(uninitialised)
//@ cutoffs: needed
//@ source: n! orders of n sections; one way in which each job is done
// Threads wait for members of blocks and of variables that are given their first values by atomic stores, before other
// threads know where they are (or not).
#include "../threads.h"
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
struct lock {
  atomic_int held, users;
};
static struct lock *_Atomic known;

#if defined(HEAP) || defined(STACK)
static int sections;

static void *uses(void *arg) {
  struct lock *lock = arg;
  while (atomic_exchange(&lock->held, 1))
    sched_yield();
  sections++;
  atomic_store(&lock->held, 0);
  return 0;
}

int main(void) {
#ifdef HEAP
  struct lock *lock = malloc(sizeof *lock);
#else
  struct lock variable, *lock = &variable;
#endif
  atomic_store(&lock->held, 0);
  lock->users = 3;
  pthread_t users[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&users[i], 0, uses, lock);
  for (int i = 0; i < 3; i++)
    pthread_join(users[i], 0);
#ifdef HEAP
  free(lock);
#endif
  return 0;
}
#elif defined(EACH)
// Each job is made while others are done already.
static void *does(void *arg) {
  struct lock *job = arg;
  atomic_store(&job->held, 0);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  struct lock *jobs[2];
  for (int i = 0; i < 2; i++) {
    jobs[i] = malloc(sizeof *jobs[i]);
    jobs[i]->held = 1;
    pthread_create(&threads[i], 0, does, jobs[i]);
  }
  for (int i = 0; i < 2; i++) {
    while (jobs[i]->held)
      ;
    pthread_join(threads[i], 0);
    free(jobs[i]);
  }
  return 0;
}
#elif defined(QUEUE)
// The lock of Mellor-Crummey and Scott, whose nodes are variables of those that wait.
struct node {
  struct node *_Atomic next;
  atomic_int locked;
};
static struct node *_Atomic last;
static int sections;

static void *waits(void *arg) {
  struct node mine, *self = &mine, *next;
  atomic_store(&mine.next, 0);
  atomic_store(&mine.locked, 1);
  struct node *before = atomic_exchange(&last, &mine);
  if (before) {
    atomic_store(&before->next, &mine);
    while (atomic_load(&mine.locked))
      ;
  }
  sections++;
  if (!atomic_load(&mine.next) && atomic_compare_exchange_strong(&last, &self, 0)) return arg;
  while (!(next = atomic_load(&mine.next)))
    ;
  atomic_store(&next->locked, 0);
  return arg;
}

int main(void) {
  run_copies(2, waits);
  return 0;
}
#elif defined(EARLY)
// Others are told of the block, or of the variable, before the member has a value.
static void *waits(void *arg) {
  struct lock *lock;
  while (!(lock = known))
    ;
  while (lock->held) //~[early early_own] uninitialised
    ;
  return 0;
}

int main(void) {
#ifdef OWN
  struct lock variable, *lock = &variable;
#else
  struct lock *lock = malloc(sizeof *lock);
#endif
  pthread_t thread;
  pthread_create(&thread, 0, waits, 0);
  lock->users = 1;
  known = lock;
  lock->held = 0;
  pthread_join(thread, 0);
#ifndef OWN
  free(lock);
#endif
  return 0;
}
#else
// Two threads give values to one member each, and the one that waits for both knows of the second one only.
static atomic_int second;

static void *gives_first(void *arg) {
  ((struct lock *)arg)->held = 1;
  return 0;
}

static void *gives_second(void *arg) {
  ((struct lock *)arg)->users = 1;
  second = 1;
  return 0;
}

int main(void) {
  struct lock *lock = malloc(sizeof *lock);
  pthread_t threads[2];
  pthread_create(&threads[0], 0, gives_first, lock);
  pthread_create(&threads[1], 0, gives_second, lock);
  while (!second)
    ;
  while (!lock->users || !lock->held) //~[several] uninitialised
    ;
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  free(lock);
  return 0;
}
#endif
