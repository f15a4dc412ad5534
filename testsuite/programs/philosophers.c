//@ revisions: same_hand left_handed
//@[same_hand] verdict: unsafe(deadlock)
//@[left_handed] verdict: safe
//@[left_handed] cflags: -DLEFT
//@[left_handed] executions: 4
//@ slow: naive
//@[left_handed] native: run
//@ source: Dijkstra 1971. The last philosopher takes the other fork first: two forks have two users in one of two orders, 2^2; with the third one nobody takes another fork while holding it, and counts its own meals
// Three philosophers, three forks, one meal each.
#include "../threads.h"
#define N 3
static pthread_mutex_t forks[N] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int meals[N];

static void *philosopher(void *arg) {
  long me = (long)arg, first = me, second = (me + 1) % N;
#ifdef LEFT
  if (me == N - 1)
    first = 0, second = me;
#endif
  pthread_mutex_lock(&forks[first]);
  pthread_mutex_lock(&forks[second]); //~[same_hand] deadlock
  meals[me]++;
  pthread_mutex_unlock(&forks[second]);
  pthread_mutex_unlock(&forks[first]);
  return 0;
}

int main(void) {
  run_copies(N, philosopher);
  return meals[0] + meals[1] + meals[2] - N;
}
