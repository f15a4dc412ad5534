//@ revisions: assertion race circle none
//@[assertion] verdict: unsafe(assertion)
//@[assertion] cflags: -DASSERTION
//@[race] verdict: unsafe(data-race)
//@[race] cflags: -DRACE
//@[circle] verdict: unsafe(deadlock)
//@[circle] cflags: -DCIRCLE
//@[none] verdict: unknown(mystery)
// One thread stays at a call that is not modelled. What others do wrong before it returns they do: also to wait for
// one another.
#include "../threads.h"
#include <assert.h>
extern void mystery(void);
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *gap(void *arg) {
  mystery();
  return 0;
}

static void *one(void *arg) {
#ifdef RACE
  x++; //~[race] data-race
#endif
  pthread_mutex_lock(&first);
  pthread_mutex_lock(&second); //~[circle] deadlock
  x++;
  pthread_mutex_unlock(&second);
  pthread_mutex_unlock(&first);
  return 0;
}

static void *other(void *arg) {
#ifdef CIRCLE
  pthread_mutex_lock(&second);
  pthread_mutex_lock(&first); //~[circle] deadlock
#else
  pthread_mutex_lock(&first);
  pthread_mutex_lock(&second);
#endif
#ifdef ASSERTION
  assert(x == 0); //~[assertion] assertion
#endif
  x += 2; //~[race] data-race
  pthread_mutex_unlock(&second);
  pthread_mutex_unlock(&first);
  return 0;
}

int main(void) {
  run_all(3, (routine *[]){gap, one, other});
  return 0;
}
