//@ verdict: safe
//@ revisions: one two handed heap stack freed kept tells errno_behind errno_within errno_first message
//@[one] cflags: -DPERMITS=1 -DTHREADS=uses,uses,uses
//@[one] awaits: 6
//@[two] cflags: -DPERMITS=2 -DTHREADS=passes,passes,passes
//@[two] awaits: 54
//@[handed] cflags: -DPERMITS=0 -DTHREADS=hands_over,takes_over
//@[handed] awaits: 1
//@[heap] cflags: -DPERMITS=1 -DTHREADS=uses,uses,uses -DHEAP
//@[stack] cflags: -DPERMITS=1 -DTHREADS=uses,uses,uses -DSTACK
//@[heap stack] awaits: 6
//@[freed] cflags: -DPERMITS=1 -DTHREADS=uses -DHEAP -DFREED
//@[freed] args: --check memory
//@[freed] verdict: unsafe(memory)
//@[kept] cflags: -DPERMITS=0 -DTHREADS=uses,uses
//@[kept] verdict: unsafe(livelock)
//@[tells] cflags: -DPERMITS=0 -DTHREADS=hands_over,counts
//@[errno_behind] cflags: -DPERMITS=0 -DTHREADS=hands_over,looks_behind
//@[errno_within] cflags: -DPERMITS=0 -DTHREADS=hands_over,looks_within
//@[errno_first] cflags: -DPERMITS=0 -DTHREADS=hands_over,looks_first
//@[message] cflags: -DPERMITS=0 -DTHREADS=hands_over,says
//@[tells errno_behind message] verdict: unsafe(assertion)
//@ cutoffs: needed
//@ source: 3! orders; of the 90 orders of three pairs those in which not all three begin first, 6 * 6; one order
// Threads try again and again to take one from a semaphore. Each attempt that fails sets errno, at which the program may
// look later.
#include "../threads.h"
#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct pool {
  sem_t free;
  int used, copy;
};
#if defined(HEAP) || defined(STACK)
static struct pool *pool;
#else
static struct pool global, *const pool = &global;
#endif

static void *uses(void *arg) {
  while (sem_trywait(&pool->free)) //~[freed] memory //~[kept] livelock
    sched_yield();
  pool->used++; //~[freed] memory
  sem_post(&pool->free); //~[freed] memory
  return arg;
}

static void *passes(void *arg) {
  while (sem_trywait(&pool->free) == -1)
    sched_yield();
  sem_post(&pool->free);
  return arg;
}

static void *hands_over(void *arg) {
  pool->used = 1;
  sem_post(&pool->free);
  return arg;
}

static void *takes_over(void *arg) {
  while (sem_trywait(&pool->free) < 0)
    ;
  assert(pool->used == 1);
  return arg;
}

static void *counts(void *arg) {
  int turns = 0;
  while (sem_trywait(&pool->free))
    turns += turns < 3;
  assert(turns < 3); //~[tells] assertion
  return arg;
}

static void *looks_behind(void *arg) {
  while (sem_trywait(&pool->free))
    ;
  assert(errno == 0); //~[errno_behind] assertion
  return arg;
}

static void *looks_within(void *arg) {
  while (sem_trywait(&pool->free) == -1)
    assert(errno == EAGAIN);
  return arg;
}

static void *looks_first(void *arg) {
  errno = 0;
  while (sem_trywait(&pool->free))
    ;
  assert(errno == 0 || errno == EAGAIN);
  return arg;
}

static void *says(void *arg) {
  char text[64];
  while (sem_trywait(&pool->free))
    ;
  snprintf(text, sizeof text, "%m");
  assert(strcmp(text, "Success") == 0); //~[message] assertion
  return arg;
}

int main(void) {
#ifdef HEAP
  pool = calloc(1, sizeof *pool);
#elif defined(STACK)
  struct pool variable = {.used = 0};
  pool = &variable;
#endif
  sem_init(&pool->free, 0, PERMITS);
  routine *routines[] = {THREADS};
  enum { COUNT = sizeof routines / sizeof *routines };
  (void)(routine *[]){uses, passes, hands_over, takes_over, counts, looks_behind, looks_within, looks_first, says};
  start_all(COUNT, routines);
#ifdef FREED
  free(pool);
  join_all(COUNT);
  return 0;
#endif
  join_all(COUNT);
#ifdef HEAP
  free(pool);
#endif
  return 0;
}
