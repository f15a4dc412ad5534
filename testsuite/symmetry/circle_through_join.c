//@ verdict: unsafe(deadlock)
//@ alike: 0
//@ source: the thread that comes first fails an assumption, the other one waits for the mutex of main. Only if main waits for that one there is a circle. Neither order of the exchanges counts as an execution, for an assumption fails
#include <pthread.h>
#include <stdatomic.h>
extern void __VERIFIER_assume(int);
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x;

static void *thread(void *arg) {
  if (atomic_exchange(&x, 1) == 0)
    __VERIFIER_assume(0);
  else
    pthread_mutex_lock(&mutex); //~ deadlock
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_mutex_lock(&mutex);
  pthread_create(&first, 0, thread, 0);
  pthread_create(&second, 0, thread, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
