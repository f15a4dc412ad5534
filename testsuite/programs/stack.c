//@ revisions: guarded unguarded
//@[guarded] verdict: safe
//@[guarded] native: run
//@[unguarded] verdict: unsafe(assertion)
//@[unguarded] cflags: -DUNGUARDED
//@ source: who looks whether the stack is empty without the lock may find it empty later
// One pusher, two poppers: checking and taking must be one section.
#include "../threads.h"
#include <assert.h>
#define SIZE 2
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int items[SIZE], top, taken;

static void *push(void *arg) {
  (void)arg;
  pthread_mutex_lock(&m);
  assert(top < SIZE);
  items[top++] = 7;
  pthread_mutex_unlock(&m);
  return 0;
}

static void *pop(void *arg) {
  (void)arg;
  pthread_mutex_lock(&m);
  int some = top > 0;
#ifdef UNGUARDED
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
#endif
  if (some) {
    assert(top > 0); //~[unguarded] assertion
    taken += items[--top];
  }
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  run_all(3, (routine *const[]){push, pop, pop});
  assert(taken == 7 * (1 - top));
  return 0;
}
