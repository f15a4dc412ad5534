//@ verdict: safe
//@ revisions: writers mixed heap stack freed kept kept_read own tells
//@[writers] cflags: -DTHREADS=writes,writes,writes
//@[writers] awaits: 6
//@[mixed] cflags: -DTHREADS=reads,writes,reads
//@[mixed] awaits: 4
//@[heap] cflags: -DTHREADS=reads,writes,reads -DHEAP
//@[heap] awaits: 4
//@[stack] cflags: -DTHREADS=reads,writes,reads -DSTACK
//@[stack] awaits: 4
//@[freed] cflags: -DTHREADS=writes -DHEAP -DFREED
//@[freed] args: --check memory
//@[freed] verdict: unsafe(memory)
//@[kept] cflags: -DTHREADS=writes,writes -DKEPT
//@[kept_read] cflags: -DTHREADS=writes,reads -DKEPT
//@[own] cflags: -DTHREADS=upgrades,reads
//@[kept kept_read own] verdict: unsafe(livelock)
//@[tells] cflags: -DTHREADS=writes,counts
//@[tells] verdict: unsafe(assertion)
//@ cutoffs: needed
//@ source: n! orders of n writers; each of two readers comes before the one writer or behind it
// Threads try again and again to lock for reading or for writing what others hold. One of these may never give it back,
// or it is the thread itself that holds it; or how often a thread has tried is looked at.
#include "../threads.h"
#include <assert.h>
#include <sched.h>
#include <stdlib.h>
struct table {
  pthread_rwlock_t lock;
  int length, copies[3];
};
#if defined(HEAP) || defined(STACK)
static struct table *table;
#else
static struct table global = {.lock = PTHREAD_RWLOCK_INITIALIZER}, *const table = &global;
#endif

static void *writes(void *arg) {
  while (pthread_rwlock_trywrlock(&table->lock)) //~[freed] memory //~[kept] livelock
    sched_yield();
  table->length++; //~[freed] memory
#ifndef KEPT
  pthread_rwlock_unlock(&table->lock); //~[freed] memory
#endif
  return arg;
}

static void *reads(void *arg) {
  while (pthread_rwlock_tryrdlock(&table->lock)) //~[kept_read] livelock
    sched_yield();
  table->copies[(long)arg] = table->length;
  pthread_rwlock_unlock(&table->lock);
  return arg;
}

static void *upgrades(void *arg) {
  while (pthread_rwlock_tryrdlock(&table->lock))
    sched_yield();
  while (pthread_rwlock_trywrlock(&table->lock)) //~[own] livelock
    sched_yield();
  return arg;
}

static void *counts(void *arg) {
  int turns = 0;
  while (pthread_rwlock_trywrlock(&table->lock))
    turns += turns < 3;
  assert(turns < 3); //~[tells] assertion
  pthread_rwlock_unlock(&table->lock);
  return arg;
}

int main(void) {
#ifdef HEAP
  table = calloc(1, sizeof *table);
  pthread_rwlock_init(&table->lock, 0);
#elif defined(STACK)
  struct table variable = {.length = 0};
  table = &variable;
  pthread_rwlock_init(&table->lock, 0);
#endif
  routine *routines[] = {THREADS};
  enum { COUNT = sizeof routines / sizeof *routines };
  (void)(routine *[]){reads, upgrades, counts};
  start_all(COUNT, routines);
#ifdef FREED
  free(table);
  join_all(COUNT);
  return 0;
#endif
  join_all(COUNT);
#ifndef KEPT
  pthread_rwlock_destroy(&table->lock);
#endif
#ifdef HEAP
  free(table);
#endif
  return 0;
}
