//@ revisions: safe either broken race known
//@[safe either] verdict: safe
//@[either] executions: 6
//@[either] source: derived, see below
//@[either] cflags: -DEITHER
//@[broken] verdict: unsafe(assertion)
//@[broken] cflags: -DBROKEN
//@[race] verdict: unsafe(data-race)
//@[race] cflags: -DRACE
//@[known] verdict: unsafe(assertion)
//@[known] cflags: -DKNOWN
// Compare-exchanges that depend on inputs. Two threads add inputs to a sum, each by an exchange that is tried until
// it takes place. BROKEN: one of them does not try again. RACE: one hands over what it has written only if the
// exchange takes place, and the other one takes that for granted where it finds a 5, which an input may have been,
// too.
//
// KNOWN: main has decided whether x is 3 before the other thread does, so that nothing new is known when it has
// looked. It goes on all the same, and the sum is 4.
//
// EITHER: the thread looks, decides whether x is 3, and exchanges. Main reads before it has looked, after that, or
// after the exchange: three executions for each outcome. (The first two come to the same, and so do all three if x is
// not 3.)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern unsigned __VERIFIER_nondet_uint(void);

static atomic_uint sum;
static unsigned x, y;
static int data;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void add(unsigned amount) {
  unsigned seen = atomic_load(&sum);
  while (!atomic_compare_exchange_strong(&sum, &seen, seen + amount))
    ;
}

static void *worker(void *unused) {
#if defined EITHER || defined KNOWN
  unsigned three = 3;
#ifdef KNOWN
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
#endif
  atomic_compare_exchange_strong(&sum, &three, 4);
#elif defined RACE
  data = 1;
  unsigned expected = y;
  atomic_compare_exchange_strong(&sum, &expected, 5);
#elif defined BROKEN
  unsigned seen = atomic_load(&sum);
  atomic_compare_exchange_strong(&sum, &seen, seen + y);
#else
  add(y);
#endif
  return unused;
}

int main(void) {
  pthread_t t;
  x = __VERIFIER_nondet_uint();
  y = __VERIFIER_nondet_uint();
#if defined EITHER || defined RACE || defined KNOWN
  atomic_init(&sum, x);
#endif
#if defined KNOWN
  pthread_mutex_lock(&m);
#endif
  pthread_create(&t, 0, worker, 0);
#if defined KNOWN
  if (x == 3)
    data = 1;
  else
    data = 2;
  pthread_mutex_unlock(&m);
#elif defined EITHER
  unsigned seen = atomic_load(&sum);
  assert(seen == x || (x == 3 && seen == 4));
#elif defined RACE
  if (atomic_load(&sum) == 5)
    x = (unsigned)data; //~[race] data-race
#else
  add(x);
#endif
  pthread_join(t, 0);
#if defined KNOWN
  assert(sum != 4 || data == 2); //~[known] assertion
#elif !defined EITHER && !defined RACE
  assert(sum == x + y); //~[broken] assertion
#endif
  return 0;
}
