//@ verdict: unsafe(assertion)
// A flag that several threads set goes down between two rounds, by a plain write that nobody else sees.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;

static void *set(void *arg) {
  flag = 1;
  return 0;
}

static void *look(void *arg) {
  assert(flag); //~ assertion
  return 0;
}

static void round_of(int n, void *(*routine)(void *)) {
  pthread_t threads[3];
  for (int i = 0; i < n; i++)
    pthread_create(&threads[i], 0, i < 2 ? set : routine, 0);
  for (int i = 0; i < n; i++)
    pthread_join(threads[i], 0);
}

int main(void) {
  round_of(2, 0);
  assert(flag);
  atomic_init(&flag, 0);
  round_of(3, look);
  return 0;
}
