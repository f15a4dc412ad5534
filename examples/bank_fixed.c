// The repaired twin of bank.c: reading and writing are one critical section.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static void *deposit(void *amount) {
  pthread_mutex_lock(&lock);
  balance += *(int *)amount;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  int amounts[] = {10, 20};
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, deposit, &amounts[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  assert(balance == 130);
  return 0;
}
