//@ revisions: joined early late
//@[joined] verdict: safe
//@[joined] native: run
//@[early] verdict: unsafe(data-race)
//@[early] cflags: -DEARLY
//@[late] verdict: unsafe(data-race)
//@[late] cflags: -DLATE
//@[early late] args: --interference sync
//@ executions: 1
//@ source: no two visible actions conflict
#include <pthread.h>
static int x;

static void *worker(void *arg) {
  x += 1; //~[early late] data-race
  return 0;
}

int main(void) {
  pthread_t t;
  x = 1;
  pthread_create(&t, 0, worker, 0);
#ifdef EARLY
  x = 5; //~[early] data-race
#endif
#ifdef LATE
  int seen = x; //~[late] data-race
  pthread_join(t, 0);
  return seen != 2;
#endif
  pthread_join(t, 0);
  return x == 2 ? 0 : 1;
}
