//@ verdict: unsafe(assertion)
//@ source: a compare-exchange on what was read decides about it, behind sections; it succeeds for 6 if the other thread has added 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counters[4];
static atomic_int number;

static void count(int which) {
  pthread_mutex_lock(&lock);
  counters[which]++;
  pthread_mutex_unlock(&lock);
}

static void *exchanges(void *arg) {
  int expected = 7;
  count(0);
  count(1);
  if (atomic_compare_exchange_strong(&number, &expected, 9)) {
    count(0);
    assert(*(int *)arg != 6); //~ assertion
  }
  return 0;
}

static void *adds(void *arg) {
  count(2);
  count(3);
  atomic_fetch_add(&number, 1);
  return arg;
}

int main(void) {
  int first = __VERIFIER_nondet_int();
  number = first;
  pthread_t threads[2];
  pthread_create(&threads[0], 0, exchanges, &first);
  pthread_create(&threads[1], 0, adds, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  return 0;
}
