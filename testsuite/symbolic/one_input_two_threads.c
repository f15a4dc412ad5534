//@ revisions: safe broken
//@[safe] verdict: safe
//@[broken] verdict: unsafe(assertion)
//@[broken] cflags: -DBROKEN
//@ executions: 3
//@ paths: 3
//@ source: by hand, below
// Two threads branch on one input, and nothing orders them. Of four combinations of outcomes three are possible: x > 10 says
// x > 0.
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);

static int x, positive, large;

static void *first(void *unused) {
  if (x > 0)
    positive = 1;
  return unused;
}

static void *second(void *unused) {
  if (x > 10)
    large = 1;
  return unused;
}

int main(void) {
  pthread_t t, u;
  x = __VERIFIER_nondet_int();
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
#ifdef BROKEN
  assert(large == positive); //~[broken] assertion
#else
  assert(large <= positive);
#endif
  return 0;
}
