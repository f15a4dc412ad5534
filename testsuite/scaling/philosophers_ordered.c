//@ verdict: safe
//@ revisions: n2 n3
//@[n2] cflags: -DN=2
//@[n2] executions: 2
//@[n3] cflags: -DN=3
//@[n3] executions: 4
//@[n3] naive: no
//@ source: n=2: both take fork 0 first: 2. n=3: forks 0, 1, 2 are shared by two each; nobody takes another fork while holding fork 2: 2^2 orders of the others
//@ orders: 3
//@ native: run
#include "../threads.h"
static pthread_mutex_t forks[N];

static void *eat(void *arg) {
  long left = (long)arg, right = (left + 1) % N;
  long low = left < right ? left : right, high = left + right - low;
  pthread_mutex_lock(&forks[low]);
  pthread_mutex_lock(&forks[high]);
  pthread_mutex_unlock(&forks[high]);
  pthread_mutex_unlock(&forks[low]);
  return 0;
}

int main(void) {
  for (int i = 0; i < N; i++)
    pthread_mutex_init(&forks[i], 0);
  run_copies(N, eat);
  return 0;
}
