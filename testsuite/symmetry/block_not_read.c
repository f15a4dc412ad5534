//@ verdict: unsafe(leak)
//@ alike: 2
//@ source: neither thread looks at its argument. The one that counts first hangs; if that is the second one, nothing leads to the block of the first one, which has ended
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
static pthread_mutex_t never = PTHREAD_MUTEX_INITIALIZER;
static atomic_int count;
static sem_t is_over;

static void *thread(void *arg) {
  if (atomic_fetch_add(&count, 1) == 0)
    pthread_mutex_lock(&never);
  else
    sem_post(&is_over);
  return 0;
}

int main(void) {
  pthread_t first, second;
  sem_init(&is_over, 0, 0);
  pthread_mutex_lock(&never);
  pthread_create(&first, 0, thread, malloc(4)); //~ leak
  pthread_create(&second, 0, thread, 0);
  sem_wait(&is_over);
  exit(0);
}
