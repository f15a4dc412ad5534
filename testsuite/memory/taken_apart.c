//@ revisions: missed right alone
//@[missed right] slow: naive
//@[missed] verdict: unsafe(assertion)
//@[missed] cflags: -DMISSED
//@[missed] args: --check assertion
//@[right] verdict: safe
//@[right] cflags: -DRIGHT
//@[right] args: --check assertion
//@[alone] verdict: safe
//@[alone] cflags: -DALONE
//@ source: by hand: missed: main stores 1 first, and the reader may come before the thread that stores 0
// A large array lies in one piece once much of it is used. Going back takes it apart again, and must not lose what a
// part held before that was stored to and is now as at first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define PLACE (4096 * 3)
static char large[1 << 20];
static atomic_int flag, started;

#ifdef ALONE
int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
  large[PLACE] = 1;
  if (n > 3) {
    large[PLACE] = 0;
    if (k > 2)
      for (int i = 8; i < 60; i++)
        large[4096 * i] = 2;
    assert(large[PLACE] == 0);
  } else {
    assert(large[PLACE] == 1);
  }
  return 0;
}
#else
static void *stores(void *arg) {
  atomic_store(&started, 1);
  large[PLACE] = 0;
  if (!atomic_load(&flag))
    for (int i = 8; i < 60; i++)
      large[4096 * i] = 2;
  return arg;
}

static void *nothing(void *arg) {
  return arg;
}

static void *sets(void *arg) {
  pthread_t thread;
  pthread_create(&thread, 0, nothing, 0);
  large[PLACE + 128] = 5;
  atomic_store(&flag, 1);
  pthread_join(thread, 0);
  return arg;
}

static void *reads(void *arg) {
  int read = large[PLACE];
#ifdef MISSED
  assert(read != 1); //~[missed] assertion
#else
  if (read == 0)
    assert(atomic_load(&started));
#endif
  return arg;
}

int main(void) {
  large[PLACE] = 1;
  void *(*routines[])(void *) = {stores, sets, reads};
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], 0, routines[i], 0);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], 0);
  return 0;
}
#endif
