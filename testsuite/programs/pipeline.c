//@ verdict: safe
//@ executions: 1
//@ slow: naive
//@ source: by hand: each place is filled and emptied in turn, so each semaphore's operations have one order
// Three stages with one place between them: numbers are made, squared and added.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define ITEMS 3

static struct {
  sem_t full, empty;
  int item;
} places[2];

static void put(int place, int item) {
  sem_wait(&places[place].empty);
  places[place].item = item;
  sem_post(&places[place].full);
}

static int take(int place) {
  sem_wait(&places[place].full);
  int item = places[place].item;
  sem_post(&places[place].empty);
  return item;
}

static void *make(void *arg) {
  for (int i = 1; i <= ITEMS; i++) put(0, i);
  return 0;
}

static void *square(void *arg) {
  for (int i = 0; i < ITEMS; i++) {
    int item = take(0);
    put(1, item * item);
  }
  return 0;
}

int main(void) {
  pthread_t maker, squarer;
  int sum = 0;
  for (int i = 0; i < 2; i++) {
    sem_init(&places[i].full, 0, 0);
    sem_init(&places[i].empty, 0, 1);
  }
  pthread_create(&maker, 0, make, 0);
  pthread_create(&squarer, 0, square, 0);
  for (int i = 0; i < ITEMS; i++) sum += take(1);
  pthread_join(maker, 0);
  pthread_join(squarer, 0);
  assert(sum == 1 + 4 + 9);
}
