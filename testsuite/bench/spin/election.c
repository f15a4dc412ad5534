// A ring of N threads that elect one of them, as Chang and Roberts have it: each sends its number on, passes greater ones on, and the one
// that gets its own back is elected and says so. A channel holds one message. Every step of election.pml is an access here.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 3
#endif

static atomic_int box[N], leaders;

static void send(int to, int what) {
  while (box[to]) {
  }
  box[to] = what;
}

static int receive(int me) {
  int got;
  while (!(got = box[me])) {
  }
  box[me] = 0;
  return got;
}

static void *process(void *arg) {
  int me = (int)(long)arg, mine = me + 1, next = (me + 1) % N, leads = 0;
  send(next, mine);
  for (;;) {
    int got = receive(me);
    if (got == N + 1) {
      if (!leads)
        send(next, got);
      return 0;
    }
    if (got == mine) {
      assert(atomic_fetch_add(&leaders, 1) == 0);
      leads = 1;
      send(next, N + 1);
    } else if (got > mine) {
      send(next, got);
    }
  }
}

int main(void) {
  pthread_t threads[N];
  for (long i = 0; i < N; i++)
    pthread_create(&threads[i], 0, process, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
}
