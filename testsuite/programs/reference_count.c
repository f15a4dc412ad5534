//@ revisions: right two_steps unowned
//@[right] verdict: safe
//@[right] native: run
//@[right] executions: 2
//@[two_steps] verdict: unsafe(leak)
//@[two_steps] cflags: -DTWO_STEPS
//@[unowned] verdict: unsafe(memory)
//@[unowned] cflags: -DOWNERS=1
//@ source: two decrements of one counter; in two steps each may see that the other has not gone yet, or that both have
// Whoever lets go of the object last frees it. Looking at the counter again after the decrement is too late, and reading it before is
// too early; an owner that was not counted uses what is gone.
#include "../threads.h"
#include <stdatomic.h>
#include <stdlib.h>
#ifndef OWNERS
#define OWNERS 2
#endif
struct object {
  atomic_int owners;
};


static void let_go(struct object *it) {
#ifdef TWO_STEPS
  int before = it->owners;
  it->owners--;
  if (before == 1)
    free(it);
#else
  if (atomic_fetch_sub(&it->owners, 1) == 1) //~[unowned] memory
    free(it);
#endif
}

static void *owner(void *arg) {
  let_go(arg);
  return 0;
}

int main(void) {
  pthread_t t[2];
  struct object *it = malloc(sizeof *it); //~[two_steps] leak
  it->owners = OWNERS;
  for (int n = 0; n < 2; n++)
    pthread_create(&t[n], 0, owner, it);
  for (int n = 0; n < 2; n++)
    pthread_join(t[n], 0);
  return 0;
}
