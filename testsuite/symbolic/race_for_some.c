//@ revisions: safe broken
//@[safe] verdict: safe
//@[broken] verdict: unsafe(data-race)
//@[broken] cflags: -DBROKEN
//@[broken] blocked: some
// Two threads write cells of an array whose numbers are inputs: they race where the numbers are the same.
#include <pthread.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

static int cell[4];
static unsigned at[2];

static void *worker(void *unused) {
  cell[at[1] % 4] = 2;
  return unused;
}

int main(void) {
  pthread_t t;
  at[0] = __VERIFIER_nondet_uint();
  at[1] = __VERIFIER_nondet_uint();
#ifndef BROKEN
  __VERIFIER_assume(at[0] % 4 != at[1] % 4);
#endif
  pthread_create(&t, 0, worker, 0);
  cell[at[0] % 4] = 1; //~[broken] data-race
  pthread_join(t, 0);
  return 0;
}
