//@ revisions: freed kept
//@[freed] verdict: unsafe(memory)
//@[kept] verdict: safe
//@[kept] cflags: -DKEEP
//@ executions: 2
//@ source: the orders of two critical sections; one of them uses what is freed
//@ orders: 2
#include "../threads.h"
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *p;

static void *user(void *arg) {
  pthread_mutex_lock(&m);
#ifdef KEEP
  if (p)
#endif
    *p = 1; //~[freed] memory
  pthread_mutex_unlock(&m);
  return 0;
}

static void *owner(void *arg) {
  pthread_mutex_lock(&m);
  free(p);
#ifdef KEEP
  p = 0;
#endif
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  p = malloc(sizeof *p);
  run_all(2, (routine *[]){user, owner});
  return 0;
}
