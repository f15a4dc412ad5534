//@ revisions: narrow wide
//@ verdict: unsafe(overflow)
//@[wide] verdict: safe
//@[wide] cflags: -DTYPE=long
//@ executions: 2
//@ source: two threads, each with one section of the same lock; the section that comes second finds what the first left
//@ orders: 2
// 46340 squared fits into an int, and plus 46341 it still does; squared again it does not. It takes one of the two orders.
#include "../threads.h"
#ifndef TYPE
#define TYPE int
#endif
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static TYPE value = 46340;

static void *square(void *arg) {
  (void)arg;
  pthread_mutex_lock(&m);
  value = value * value; //~[narrow] overflow
  pthread_mutex_unlock(&m);
  return 0;
}

static void *increment(void *arg) {
  (void)arg;
  pthread_mutex_lock(&m);
  value = value + 1;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  run_all(2, (routine *const[]){square, increment});
  return 0;
}
