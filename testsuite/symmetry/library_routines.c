//@ verdict: unsafe(assertion)
//@ alike: 4
//@ source: each thread is a call of the library that takes another semaphore. Each of the two looks of main comes before or after that: four executions, in one of which only the second thread has run
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t semaphores[2];

int main(void) {
  pthread_t first, second;
  int left[2];
  sem_init(&semaphores[0], 0, 1);
  sem_init(&semaphores[1], 0, 1);
  pthread_create(&first, 0, (void *(*)(void *))sem_wait, &semaphores[0]);
  pthread_create(&second, 0, (void *(*)(void *))sem_wait, &semaphores[1]);
  sem_getvalue(&semaphores[1], &left[1]);
  sem_getvalue(&semaphores[0], &left[0]);
  assert(left[1] != 0 || left[0] != 1); //~ assertion
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
