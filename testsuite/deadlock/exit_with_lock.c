//@ revisions: kept released
//@[kept] verdict: unsafe(deadlock)
//@[released] verdict: safe
//@[released] cflags: -DRELEASE
//@[kept] executions: 2
//@[released] executions: 1
//@ source: the orders of the two critical sections; the second never comes when the lock is kept. If it is released, both touch nothing
//@ orders: 2
#include "../threads.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *careless(void *arg) {
  pthread_mutex_lock(&m);
#ifdef RELEASE
  pthread_mutex_unlock(&m);
#endif
  return 0;
}

static void *careful(void *arg) {
  pthread_mutex_lock(&m); //~[kept] deadlock
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  start_all(2, (routine *[]){careless, careful});
  join_all(2);
  return 0;
}
