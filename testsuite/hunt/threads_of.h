// Starts any number of threads and joins them: those of `first`, then one of each of the others.
#include <pthread.h>
typedef void *routine(void *);

static inline void run_many(long n, routine *first, long others, routine *const routines[]) {
  pthread_t started[n + others];
  for (long i = 0; i < n + others; i++)
    pthread_create(&started[i], 0, i < n ? first : routines[i - n], (void *)i);
  for (long i = 0; i < n + others; i++)
    pthread_join(started[i], 0);
}
