//@ verdict: safe
//@ native: run
//@ revisions: n2 n4 rounds told told_twice
//@[n2] cflags: -DN=2 -DROUNDS=1
//@[n2] executions: 1
//@[n4] cflags: -DN=4 -DROUNDS=1
//@[n4] executions: 1
//@[n4] naive: no
//@[rounds] cflags: -DN=3 -DROUNDS=6
//@[rounds] executions: 1
//@[rounds] naive: no
//@[told] cflags: -DN=3 -DROUNDS=1 -DLOOK
//@[told] executions: 3
//@[told_twice] cflags: -DN=2 -DROUNDS=5 -DLOOK
//@[told_twice] executions: 32
//@[told_twice] naive: no
//@ source: by hand: arrivals and departures do not depend on their like, so each round has one order; if the result is looked at, one of the n threads is told so in each round: n^rounds
// Behind a barrier, what everybody did before it is there.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int parts[N], sums[N], told[ROUNDS][N];

static void *worker(void *arg) {
  long me = (long)arg;
  for (int round = 0; round < ROUNDS; round++) {
    parts[me]++;
#ifdef LOOK
    int result = pthread_barrier_wait(&barrier);
    assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
    told[round][me] = result == PTHREAD_BARRIER_SERIAL_THREAD;
#else
    pthread_barrier_wait(&barrier);
#endif
    sums[me] = 0;
    for (int i = 0; i < N; i++)
      sums[me] += parts[i];
    assert(sums[me] == N * (round + 1));
    pthread_barrier_wait(&barrier);
  }
  return 0;
}

int main(void) {
  pthread_t threads[N];
  assert(pthread_barrier_init(&barrier, 0, N) == 0);
  for (long i = 1; i < N; i++)
    pthread_create(&threads[i], 0, worker, (void *)i);
  worker(0);
  for (int i = 1; i < N; i++)
    pthread_join(threads[i], 0);
  assert(pthread_barrier_destroy(&barrier) == 0);
#ifdef LOOK
  for (int round = 0; round < ROUNDS; round++) {
    int one = 0;
    for (int i = 0; i < N; i++)
      one += told[round][i];
    assert(one == 1);
  }
#endif
}
