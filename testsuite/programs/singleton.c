//@ revisions: locked checked atomic
//@[locked] verdict: safe
//@[locked] cflags: -DGET=locked
//@[locked] executions: 2
//@[locked] native: run
//@[checked] verdict: unsafe(data-race)
//@[checked] cflags: -DGET=checked
//@[atomic] verdict: safe
//@[atomic] cflags: -DGET=double_checked
//@[atomic] native: run
//@ source: locked: one section for each of two threads, so two orders
// One object for all, made by whoever comes first. Checking without the lock needs an atomic pointer.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *instance;
static _Atomic(int *) shared;

static int *make(void) {
  int *new = malloc(sizeof *new);
  *new = 42;
  return new;
}

static int *plain(void) {
  if (!instance)
    instance = make();
  return instance;
}

static int *locked(void) {
  pthread_mutex_lock(&m);
  int *it = instance ? instance : (instance = make()); //~[checked] data-race
  pthread_mutex_unlock(&m);
  return it;
}

static int *checked(void) {
  if (instance)
    return instance;
  return locked();
}

static int *double_checked(void) {
  int *it = atomic_load_explicit(&shared, memory_order_acquire);
  if (it)
    return it;
  pthread_mutex_lock(&m);
  if (!(it = atomic_load_explicit(&shared, memory_order_relaxed)))
    atomic_store_explicit(&shared, it = make(), memory_order_release);
  pthread_mutex_unlock(&m);
  return it;
}

static void *user(void *arg) {
  assert(*GET() == 42);
  return arg;
}

int main(void) {
  run_copies(2, user);
  (void)plain, (void)locked, (void)checked, (void)double_checked;
  free(instance);
  free(shared);
  return 0;
}
