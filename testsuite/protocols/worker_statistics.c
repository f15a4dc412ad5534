//@ revisions: one two told
//@[one two] verdict: safe
//@[one] cflags: -DN=1
//@[one] awaits: 5
//@[one] in-vain: 4
//@[two] cflags: -DN=2
//@[told] verdict: unsafe(assertion)
//@[told] cflags: -DN=1 -DTOLD
//@ cutoffs: needed
//@ states: no
//@ source: three sections of main and three of one worker, each of which follows one of main's: Catalan(3) = 5 orders; the worker looks in vain after it has taken all of 0, 1 or 2 jobs, Catalan(0) + Catalan(1) + Catalan(2) = 4
// Workers take jobs from a queue under a mutex until it is closed, and count how often they have looked and how often
// there was nothing to do. That is printed; or the program relies on it.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct statistics {
  unsigned long polls, empty;
};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int queue[2], head, tail, closed;
static struct statistics *statistics;

static void *worker(void *number) {
  struct statistics *mine = &statistics[(long)number];
  for (;;) {
    pthread_mutex_lock(&m);
#ifndef TOLD
    mine->polls++;
#endif
    if (head < tail) {
      int job = queue[head++];
      pthread_mutex_unlock(&m);
      assert(job == 0 || job == 1);
      continue;
    }
    if (closed) {
      pthread_mutex_unlock(&m);
      return NULL;
    }
    pthread_mutex_unlock(&m);
#ifdef TOLD
    mine->empty = (mine->empty + 1) & 3;
#else
    mine->empty++;
#endif
  }
}

int main(void) {
  pthread_t threads[N];
  statistics = calloc(N, sizeof *statistics);
  for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, worker, (void *)i);
  for (int job = 0; job < 2; job++) {
    pthread_mutex_lock(&m);
    queue[tail++] = job;
    pthread_mutex_unlock(&m);
  }
  pthread_mutex_lock(&m);
  closed = 1;
  pthread_mutex_unlock(&m);
  for (int i = 0; i < N; i++) {
    pthread_join(threads[i], NULL);
    printf("%lu %lu\n", statistics[i].polls, statistics[i].empty);
  }
#ifdef TOLD
  assert(statistics[0].empty < 2); //~[told] assertion
#endif
  free(statistics);
  return 0;
}
