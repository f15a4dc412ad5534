//@ verdict: unsafe(leak)
//@ revisions: halves product
//@[product] cflags: -DPRODUCT
//@ cutoffs: needed
// What a thread leaves in a variable is all that leads to a block, until the thread writes there anew in its loop. It
// lies there in two halves, or is the result of a multiplication.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
struct halves {
  volatile uint32_t low, high;
};
static atomic_int stage;
static void *block;
static volatile uintptr_t one = 1;

static void *holds(void *arg) {
#ifdef PRODUCT
  volatile uintptr_t product = (uintptr_t)block * one;
#else
  _Alignas(8) struct halves halves = {(uint32_t)(uintptr_t)block, (uint32_t)((uintptr_t)block >> 32)};
#endif
  block = 0;
  stage = 2;
  while (stage != 1) {
#ifdef PRODUCT
    product = 0;
#else
    halves.low = 0;
    halves.high = 0;
#endif
  }
  return arg;
}

int main(void) {
  pthread_t thread;
  block = malloc(4); //~ leak
  pthread_create(&thread, 0, holds, 0);
  while (stage != 2)
    ;
  return 0;
}
