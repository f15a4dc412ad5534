//@ revisions: twice once
//@[twice] verdict: unsafe(memory)
//@[once] verdict: safe
//@[once] cflags: -DCLEAR
//@ orders: 2
#include "../threads.h"
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *p;

static void *release(void *arg) {
  pthread_mutex_lock(&m);
  free(p); //~[twice] memory
#ifdef CLEAR
  p = 0;
#endif
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  p = malloc(sizeof *p);
  run_copies(2, release);
  return 0;
}
