//@ verdict: safe
//@ executions: 1
//@ source: by hand: each semaphore is posted and waited for in turn, so everything has one order
// A token goes round; whoever has it may change what all share.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define THREADS 3
#define ROUNDS 2

static sem_t token[THREADS];
static int turns;

static void *member(void *arg) {
  long me = (long)arg;
  for (int round = 0; round < ROUNDS; round++) {
    sem_wait(&token[me]);
    assert(turns == round * THREADS + me);
    turns++;
    sem_post(&token[(me + 1) % THREADS]);
  }
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) sem_init(&token[i], 0, i == 0);
  for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, member, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
  assert(turns == THREADS * ROUNDS);
}
