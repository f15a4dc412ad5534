//@ verdict: safe
//@ native: run
// Values returned through join: return, pthread_exit, and from a nested call.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void leave(long value) {
  pthread_exit((void *)value);
}

static void *returns(void *arg) {
  return (void *)((intptr_t)arg + 1);
}

static void *exits(void *arg) {
  leave((intptr_t)arg + 2);
  return 0;
}

int main(void) {
  pthread_t a, b;
  void *first, *second;
  pthread_create(&a, 0, returns, (void *)10);
  pthread_create(&b, 0, exits, (void *)20);
  pthread_join(a, &first);
  pthread_join(b, &second);
  assert((intptr_t)first == 11 && (intptr_t)second == 22);
  return 0;
}
