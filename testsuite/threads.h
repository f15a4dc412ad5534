// Starts threads in an order that -DORDER permutes: nothing that is counted may depend on it.
#include <pthread.h>
#ifndef ORDER
#define ORDER 0
#endif
typedef void *routine(void *);

enum { MOST = 64 };
static pthread_t started[MOST];

// Thread i runs routines[i] with i as its argument. ORDER 0: as listed, 1: reversed, 2: the first one last.
static void start_all(long n, routine *const routines[]) {
  for (long step = 0; step < n; step++) {
    long i = ORDER == 0 ? step : ORDER == 1 ? n - 1 - step : (step + 1) % n;
    pthread_create(&started[i], 0, routines[i], (void *)i);
  }
}

static void join_all(long n) {
  for (long i = 0; i < n; i++)
    pthread_join(started[i], 0);
}

static void run_all(long n, routine *const routines[]) {
  start_all(n, routines);
  join_all(n);
}

// n threads that all run the same routine.
static void run_copies(long n, routine *copied) {
  routine *routines[MOST];
  for (long i = 0; i < n; i++)
    routines[i] = copied;
  run_all(n, routines);
}
