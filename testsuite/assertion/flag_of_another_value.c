//@ verdict: unsafe(assertion)
//@ slow: naive
// Two threads set a flag to the same; a third one, which comes late and not in every schedule, to something else.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag, go;

static void *set(void *arg) {
  flag = 1;
  go = 1;
  return 0;
}

static void *other(void *arg) {
  if (go)
    flag = 2;
  return 0;
}

static void *look(void *arg) {
  int seen = flag;
  assert(seen != 2); //~ assertion
  return 0;
}

int main(void) {
  pthread_t threads[4];
  pthread_create(&threads[0], 0, look, 0);
  pthread_create(&threads[1], 0, other, 0);
  pthread_create(&threads[2], 0, set, 0);
  pthread_create(&threads[3], 0, set, 0);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], 0);
  return 0;
}
