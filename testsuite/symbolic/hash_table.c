//@ revisions: safe broken
//@[safe] verdict: safe
//@[broken] verdict: unsafe(assertion)
//@[broken] cflags: -DBROKEN
// A hash table with open addressing; two threads insert keys that are inputs. BROKEN: a key that is there already is put in
// again, which happens for equal keys only.
#include <assert.h>
#include <pthread.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
#define SIZE 4

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned table[SIZE], key[2];

static void insert(unsigned k) {
  pthread_mutex_lock(&m);
  unsigned slot = k % SIZE;
#ifdef BROKEN
  while (table[slot])
#else
  while (table[slot] && table[slot] != k)
#endif
    slot = (slot + 1) % SIZE;
  table[slot] = k;
  pthread_mutex_unlock(&m);
}

static void *worker(void *unused) {
  insert(key[1]);
  return unused;
}

int main(void) {
  pthread_t t;
  for (int i = 0; i < 2; i++) {
    key[i] = __VERIFIER_nondet_uint();
    __VERIFIER_assume(key[i] != 0);
  }
  pthread_create(&t, 0, worker, 0);
  insert(key[0]);
  pthread_join(t, 0);
  unsigned found = 0;
  for (int i = 0; i < SIZE; i++)
    found += table[i] == key[0];
  assert(found == 1); //~[broken] assertion
  return 0;
}
