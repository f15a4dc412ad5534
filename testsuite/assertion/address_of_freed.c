//@ revisions: plain plain32 other tagged kept fresh
//@[plain plain32 other] verdict: unsafe(assertion)
//@[plain32] cflags: -m32
//@[other] cflags: -DOTHER
//@[tagged] cflags: -DTAG
//@[kept] cflags: -DKEPT
//@[tagged kept fresh] verdict: safe
//@[fresh] args: --reuse off
// ABA through the allocator: the block that takes the place of the first one has its address, so the exchange with the stale
// address succeeds. OTHER: the malloc of another thread gets it. TAG: the address has a number with it. KEPT: freed too late.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static _Atomic uintptr_t shared;
static atomic_int replaced;

static void *take(void *unused) {
  uintptr_t seen = shared;
  // What is seen before that is the first block.
  if (seen && !replaced && atomic_compare_exchange_strong(&shared, &seen, 0))
    assert(*(int *)seen == 1); //~[plain plain32 other] assertion
  return 0;
}

static void *replace(void *unused) {
  int *block = malloc(sizeof *block);
  *block = 2;
  replaced = 1;
#ifdef TAG
  shared = (uintptr_t)block | 1;
#else
  shared = (uintptr_t)block;
#endif
  return block;
}

int main(void) {
  pthread_t taker;
  int *first = malloc(sizeof *first);
  void *second = 0;
  *first = 1;
  shared = (uintptr_t)first;
  pthread_create(&taker, 0, take, 0);
  if (atomic_exchange(&shared, 0)) {
#ifndef KEPT
    free(first);
#endif
#ifdef OTHER
    pthread_t other;
    pthread_create(&other, 0, replace, 0);
    pthread_join(other, &second);
#else
    second = replace(0);
#endif
  }
  pthread_join(taker, 0);
#ifdef KEPT
  free(first);
#else
  if (!second)
    free(first);
#endif
  free(second);
}
