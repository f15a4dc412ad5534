//@ args: --check=-deadlock --check=-leak
//@ verdict: unsafe(assertion)
//@ alike: 2
//@ source: the thread that counts first waits for ever; if that is the second one, main comes behind the first join
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
static atomic_int count;
static sem_t never;

static void *thread(void *arg) {
  if (atomic_fetch_add(&count, 1) == 0)
    sem_wait(&never);
  return 0;
}

int main(void) {
  pthread_t first, second;
  sem_init(&never, 0, 0);
  pthread_create(&first, 0, thread, 0);
  pthread_create(&second, 0, thread, 0);
  pthread_join(first, 0);
  assert(0); //~ assertion
  pthread_join(second, 0);
  return 0;
}
