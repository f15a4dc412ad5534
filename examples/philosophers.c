// Dining philosophers: everybody takes the left fork first. With -DPOLITE the last one takes the right fork first,
// and nobody starves: of the 2^N orders in which neighbours can take a fork, all but the two round ones are possible.
#include <pthread.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t forks[N];
static int meals[N];

static void *philosopher(void *argument) {
  int seat = *(int *)argument;
  pthread_mutex_t *first = &forks[seat];
  pthread_mutex_t *second = &forks[(seat + 1) % N];
#ifdef POLITE
  if (seat == N - 1) {
    first = &forks[0];
    second = &forks[seat];
  }
#endif
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  meals[seat]++;
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
  return 0;
}

int main(void) {
  pthread_t threads[N];
  int seats[N];
  for (int i = 0; i < N; i++)
    pthread_mutex_init(&forks[i], 0);
  for (int i = 0; i < N; i++) {
    seats[i] = i;
    pthread_create(&threads[i], 0, philosopher, &seats[i]);
  }
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
  return 0;
}
