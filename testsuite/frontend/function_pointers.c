//@ verdict: safe
//@ revisions: o0 o2
//@[o2] cflags: -O2
//@ native: run
#include <assert.h>
#include <pthread.h>
typedef int binary(int, int);

static int add(int a, int b) {
  return a + b;
}

static int sub(int a, int b) {
  return a - b;
}

static binary *const table[] = {add, sub};

static int fold(binary *f, int n, const int *v) {
  return n == 1 ? v[0] : f(fold(f, n - 1, v), v[n - 1]);
}

static void *start(void *arg) {
  binary *f = *(binary **)arg;
  return (void *)(long)f(3, 4);
}

int main(void) {
  const int v[] = {10, 2, 3};
  assert(fold(table[0], 3, v) == 15 && fold(table[1], 3, v) == 5);
  binary *f = sub;
  assert(f == table[1] && f != add);
  pthread_t t;
  void *result;
  pthread_create(&t, 0, start, &f);
  pthread_join(t, &result);
  assert((long)result == -1);
  return 0;
}
