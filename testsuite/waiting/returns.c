//@ verdict: safe
//@ revisions: n1 n2 fails decides
//@[n1] cflags: -DN=1
//@[n2] cflags: -DN=2
//@[n1 n2] awaits: 1
//@[fails] cflags: -DN=1 -DFAILS
//@[fails] verdict: unsafe(assertion)
//@[decides] cflags: -DN=1 -DDECIDES
//@[decides] verdict: unsafe(uninitialised)
//@ cutoffs: needed
//@ source: each thread goes on when the flag is set, in one way; what is still without a value in a turn is nobody's business
// A function returns from the middle of its loop: its result has no value yet when it goes round.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;

static int wait_for_flag(void) {
  for (;;) {
    int value = atomic_load(&flag);
    if (value) return value;
  }
}

static int decide(void) {
  int found, turns = 0;
  for (;;) {
    int value = atomic_load(&flag);
    if (value) return value;
    if (turns && found) return 1; //~[decides] uninitialised
    turns = 1;
  }
}

static void *waits(void *arg) {
#ifdef DECIDES
  return (void *)(long)decide();
#else
  return (void *)(long)wait_for_flag();
#endif
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++)
    pthread_create(&threads[i], 0, waits, 0);
  flag = 2;
  for (int i = 0; i < N; i++) {
    void *result;
    pthread_join(threads[i], &result);
#ifdef FAILS
    assert(result != (void *)2); //~[fails] assertion
#else
    assert(result == (void *)2);
#endif
  }
  return 0;
}
