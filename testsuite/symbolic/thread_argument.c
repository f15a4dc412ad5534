//@ revisions: safe c11 broken
//@[safe c11] verdict: safe
//@[c11] cflags: -DC11
//@[broken] verdict: unsafe(assertion)
//@[broken] cflags: -DBROKEN
// What a thread is given, and how long it sleeps, are inputs, of which nothing is decided. BROKEN: one sum of 2^64 is
// taken for impossible.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <threads.h>
#include <unistd.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
static atomic_ulong sum;

static void *add(void *arg) {
  usleep((unsigned)(unsigned long)arg);
  atomic_fetch_add(&sum, (unsigned long)arg);
  return 0;
}

static int add_c11(void *arg) {
  add(arg);
  return 0;
}

int main(void) {
  unsigned long a = __VERIFIER_nondet_ulong(), b = __VERIFIER_nondet_ulong();
#ifdef C11
  thrd_t first, second;
  thrd_create(&first, add_c11, (void *)a);
  thrd_create(&second, add_c11, (void *)b);
  thrd_join(first, 0);
  thrd_join(second, 0);
#else
  pthread_t first, second;
  pthread_create(&first, 0, add, (void *)a);
  pthread_create(&second, 0, add, (void *)b);
  pthread_join(first, 0);
  pthread_join(second, 0);
#endif
#ifdef BROKEN
  assert(sum != 1000000007); //~[broken] assertion
#else
  assert(sum == a + b);
#endif
  (void)add_c11;
}
