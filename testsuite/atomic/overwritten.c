//@ revisions: neighbour stores waits
//@[neighbour] verdict: unsafe(assertion)
//@[neighbour] cflags: -DNEIGHBOUR
//@[stores] cflags: -DSTORES
//@[stores] verdict: safe
//@[stores] executions: 2
//@[stores] source: two stores, in two orders; nobody looks at them
//@[waits] cflags: -DWAITS
//@[waits] verdict: safe
//@[waits] naive: no
//@[waits] executions: 2
//@[waits] source: the two that add have two orders; the thread that waits goes on after the exchange
// A word that actions have written is overwritten by a plain store, when they are over.
// neighbour: then one thread reads it, another one exchanges it, a third one adds to what lies beside it.
// stores: then main exchanges it.
// waits: then one thread waits until it is something else.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static struct {
  atomic_int word, beside;
} s;
static int seen, before;

static void *sets(void *arg) {
  atomic_store(&s.word, (int)(long)arg);
  return arg;
}

static void *adds(void *arg) {
  atomic_fetch_add((atomic_int *)arg, 1);
  return arg;
}

static void *reads(void *arg) {
  seen = atomic_load(&s.word);
  return arg;
}

static void *exchanges(void *arg) {
  int expected = 5;
  atomic_compare_exchange_strong(&s.word, &expected, 9);
  return arg;
}

static void *leaves(void *arg) {
  before = atomic_exchange(&s.word, 2);
  return arg;
}

static void *waits(void *arg) {
  while (atomic_load(&s.word) == 5)
    ;
  return arg;
}

static void run(void *(*one)(void *), void *first, void *(*two)(void *), void *second) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, one, first);
  pthread_create(&threads[1], 0, two, second);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
}

int main(void) {
#ifdef NEIGHBOUR
  pthread_t third;
  atomic_store(&s.word, 1);
  pthread_create(&third, 0, adds, &s.beside);
  *(int *)&s.word = 5;
  run(reads, 0, exchanges, 0);
  pthread_join(third, 0);
  assert(seen != 9); //~[neighbour] assertion
#elif defined(STORES)
  run(sets, (void *)1, sets, (void *)2);
  *(int *)&s.word = 7;
  int expected = 7;
  assert(atomic_compare_exchange_strong(&s.word, &expected, 9));
#else
  run(adds, &s.word, adds, &s.word);
  *(int *)&s.word = 5;
  run(waits, 0, leaves, 0);
  assert(before == 5);
#endif
}
