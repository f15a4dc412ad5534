//@ verdict: safe
//@ executions: 1
//@ source: one thread after the other
//@ native: run
#include <assert.h>
#include <pthread.h>
static int sum;

static void *add(void *arg) {
  sum += (int)(long)arg;
  return 0;
}

int main(void) {
  for (long i = 1; i <= 10; i++) {
    pthread_t t;
    pthread_create(&t, 0, add, (void *)i);
    pthread_join(t, 0);
  }
  assert(sum == 55);
  return 0;
}
