//@ revisions: honest careless
//@[honest] verdict: safe
//@[honest] native: run
//@[careless] verdict: unsafe(data-race)
//@[careless] cflags: -DCARELESS
//@ orders: 2
#include "../threads.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *try(void *arg) {
#ifdef CARELESS
  int free = pthread_mutex_trylock(&m);
  x++; //~[careless] data-race
  if (free == 0)
    pthread_mutex_unlock(&m);
#else
  if (pthread_mutex_trylock(&m) == 0) {
    x++;
    pthread_mutex_unlock(&m);
  }
#endif
  return 0;
}

int main(void) {
  run_copies(2, try);
  return x >= 1 ? 0 : 1;
}
