//@ verdict: safe
//@ revisions: n2 n3 n4 n5 n6 n7 serial2 serial3 serial4 serial5
//@[n2] cflags: -DN=2
//@[n3] cflags: -DN=3
//@[n4] cflags: -DN=4
//@[n5] cflags: -DN=5
//@[n6] cflags: -DN=6
//@[n7] cflags: -DN=7
//@[n2 n3 n4 n5 n6 n7] executions: 1
//@[n2 n3 n4 n5 n6 n7] observers: 1
//@[serial2] cflags: -DN=2 -DSERIAL
//@[serial2] executions: 2
//@[serial2] observers: 2
//@[serial3] cflags: -DN=3 -DSERIAL
//@[serial3] executions: 3
//@[serial3] observers: 3
//@[serial4] cflags: -DN=4 -DSERIAL
//@[serial4] executions: 4
//@[serial4] observers: 4
//@[serial5] cflags: -DN=5 -DSERIAL
//@[serial5] executions: 5
//@[serial5] observers: 5
//@[n5 n6 n7 serial5] naive: no
//@[n4 serial4] slow: naive
//@ source: nobody sees in which order threads come to a barrier, 1; if it tells one of them that it is special, n choices
//@ native: run
// Threads meet at a barrier.
#include <assert.h>
#include <pthread.h>
static pthread_barrier_t barrier;
static int special;

static void *meet(void *arg) {
  int result = pthread_barrier_wait(&barrier);
#ifdef SERIAL
  if (result == PTHREAD_BARRIER_SERIAL_THREAD)
    special++;
#endif
  return 0;
}

int main(void) {
  pthread_t threads[N];
  pthread_barrier_init(&barrier, 0, N);
  for (int i = 0; i < N; i++)
    pthread_create(&threads[i], 0, meet, 0);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
#ifdef SERIAL
  assert(special == 1);
#endif
  return 0;
}
