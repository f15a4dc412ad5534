//@ verdict: safe
//@ revisions: o0 o1
//@[o1] cflags: -O1
//@ native: run
//@ executions: 1
//@ source: by hand: one thread at a time
// Routines and functions that are called with another type in mind than they have, which C leaves open and the calling
// convention of x86 does not: of an argument or a result that is wider than expected, the lower bits count.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static int sum;

static void *run(int id) {
  assert(id == -1 || id == 7);
  sum += id;
  return 0;
}

static int increment(int x) {
  return x + 1;
}

static long above(long x) {
  return x + 0x100000000;
}

static void in_thread(intptr_t argument) {
  pthread_t t;
  pthread_create(&t, 0, (void *(*)(void *))run, (void *)argument);
  pthread_join(t, 0);
}

int main(void) {
  in_thread(-1);
  in_thread(0x500000007);
  assert(sum == 6);
  int (*volatile narrow)(long) = (int (*)(long))increment;
  assert(narrow(0x700000002) == 3);
  int (*volatile wide)(long) = (int (*)(long))above;
  int result = wide(5);
  assert(result == 5);
  assert(result / 2 == 2);
  return 0;
}
