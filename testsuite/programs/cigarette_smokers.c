//@ revisions: agents pushers_missing
//@[agents] verdict: safe
//@[agents] cflags: -DONE_FOR_EACH
//@[agents] executions: 1
//@[pushers_missing] verdict: unsafe(deadlock)
//@ source: by hand, after Downey, The Little Book of Semaphores, 4.5: whoever takes one ingredient and needs another one than is there keeps it from who needs it; with one semaphore for each smoker all of it has one order
// Three smokers have one ingredient each; the agent puts the other two on the table.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t ingredients[3], complete[3], smoked;
static int cigarettes;

static void *smoker(void *arg) {
  long mine = (long)arg;
#ifdef ONE_FOR_EACH
  sem_wait(&complete[mine]);
#else
  sem_wait(&ingredients[(mine + 1) % 3]);
  sem_wait(&ingredients[(mine + 2) % 3]);
#endif
  cigarettes++;
  sem_post(&smoked);
  return 0;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) {
    sem_init(&ingredients[i], 0, 0);
    sem_init(&complete[i], 0, 0);
  }
  sem_init(&smoked, 0, 0);
  for (long i = 0; i < 3; i++) pthread_create(&threads[i], 0, smoker, (void *)i);
  for (int i = 0; i < 3; i++) {
#ifdef ONE_FOR_EACH
    sem_post(&complete[i]);
#else
    sem_post(&ingredients[(i + 1) % 3]);
    sem_post(&ingredients[(i + 2) % 3]);
#endif
    sem_wait(&smoked); //~[pushers_missing] deadlock
  }
  assert(cigarettes == 3);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
}
