//@ revisions: different same
//@[different] verdict: unsafe(data-race)
//@[same] verdict: safe
//@[same] cflags: -DSAME
//@ orders: 2
#include "../threads.h"
static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int x;

static void *writer(void *arg) {
#ifdef SAME
  pthread_mutex_t *own = &m[0];
#else
  pthread_mutex_t *own = &m[(long)arg];
#endif
  pthread_mutex_lock(own);
  x++; //~[different] data-race
  pthread_mutex_unlock(own);
  return 0;
}

int main(void) {
  run_copies(2, writer);
  return x == 2 ? 0 : 1;
}
