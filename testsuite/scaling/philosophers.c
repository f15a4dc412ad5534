//@ verdict: unsafe(deadlock)
//@ revisions: n2 n3 n4
//@[n2] cflags: -DN=2
//@[n2] executions: 3
//@[n3] cflags: -DN=3
//@[n3] executions: 7
//@[n4] cflags: -DN=4
//@[n4] executions: 15
//@[n3 n4] naive: no
//@ source: each of n forks is taken by one neighbour first: 2^n; of the two cycles (left forks first) one is the deadlock and one is impossible
//@ orders: 3
#include "../threads.h"
static pthread_mutex_t forks[N];

static void *eat(void *arg) {
  long i = (long)arg;
  pthread_mutex_lock(&forks[i]);
  pthread_mutex_lock(&forks[(i + 1) % N]); //~ deadlock
  pthread_mutex_unlock(&forks[(i + 1) % N]);
  pthread_mutex_unlock(&forks[i]);
  return 0;
}

int main(void) {
  for (int i = 0; i < N; i++)
    pthread_mutex_init(&forks[i], 0);
  run_copies(N, eat);
  return 0;
}
