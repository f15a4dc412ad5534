// N producers and N consumers, each with ROUNDS items, and a buffer for two, guarded by semaphores. Every step of buffer.pml is an
// action here.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#ifndef N
#define N 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

static sem_t empty, full, mutex;
static int count;

static void change(sem_t *before, sem_t *after, int by) {
  sem_wait(before);
  sem_wait(&mutex);
  count += by;
  assert(count >= 0 && count <= 2);
  sem_post(&mutex);
  sem_post(after);
}

static void *produce(void *arg) {
  for (int i = 0; i < ROUNDS; i++)
    change(&empty, &full, 1);
  return arg;
}

static void *consume(void *arg) {
  for (int i = 0; i < ROUNDS; i++)
    change(&full, &empty, -1);
  return arg;
}

int main(void) {
  pthread_t threads[2 * N];
  sem_init(&empty, 0, 2);
  sem_init(&full, 0, 0);
  sem_init(&mutex, 0, 1);
  for (int i = 0; i < N; i++) {
    pthread_create(&threads[2 * i], 0, produce, 0);
    pthread_create(&threads[2 * i + 1], 0, consume, 0);
  }
  for (int i = 0; i < 2 * N; i++)
    pthread_join(threads[i], 0);
}
