//@ verdict: unsafe(assertion)
//@ alike: 3
//@ source: main takes the semaphore between the joins if it has joined the thread that comes second before the first one has taken it. The process ends, so that nobody counts as stuck. There is one execution if the first thread takes it, and two if the second one does
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <unistd.h>
static atomic_int x;
static sem_t semaphore;

static void *thread(void *arg) {
  if (atomic_exchange(&x, 1) == 0)
    sem_wait(&semaphore);
  return 0;
}

static void *ends(void *arg) { _exit(0); }

int main(void) {
  pthread_t first, second, other;
  sem_init(&semaphore, 0, 1);
  pthread_create(&other, 0, ends, 0);
  pthread_create(&first, 0, thread, 0);
  pthread_create(&second, 0, thread, 0);
  pthread_join(first, 0);
  sem_wait(&semaphore);
  assert(0); //~ assertion
  pthread_join(second, 0);
  return 0;
}
