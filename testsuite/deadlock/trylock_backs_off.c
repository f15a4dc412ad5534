//@ verdict: safe
//@ executions: 4
//@ source: first gets b first: the trylock fails or comes after the unlock of a, 2; second gets b first: the trylock comes before or after the lock of a, 2
//@ native: run
//@ orders: 2
#include "../threads.h"
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *arg) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return 0;
}

static void *second(void *arg) {
  pthread_mutex_lock(&b);
  if (pthread_mutex_trylock(&a) == 0)
    pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){first, second});
  return 0;
}
