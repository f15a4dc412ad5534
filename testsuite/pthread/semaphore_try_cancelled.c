//@ verdict: safe
//@ executions: 1
//@ source: one thread at a time
// An attempt to take a semaphore is no cancellation point: the thread that is to end goes on to the next one.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t semaphore;
static int has_tried;

static void *tries(void *arg) {
  pthread_cancel(pthread_self());
  sem_trywait(&semaphore);
  sem_trywait(&semaphore);
  has_tried = 1;
  pthread_testcancel();
  has_tried = 2;
  return arg;
}

int main(void) {
  sem_init(&semaphore, 0, 1);
  pthread_t thread;
  pthread_create(&thread, 0, tries, 0);
  void *result;
  pthread_join(thread, &result);
  assert(has_tried == 1 && result == PTHREAD_CANCELED);
  return 0;
}
