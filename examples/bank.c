// Two transfers into one account. Each access is locked, yet money gets lost: the balance is read in one critical
// section and written in another.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static int read_balance(void) {
  pthread_mutex_lock(&lock);
  int value = balance;
  pthread_mutex_unlock(&lock);
  return value;
}

static void write_balance(int value) {
  pthread_mutex_lock(&lock);
  balance = value;
  pthread_mutex_unlock(&lock);
}

static void *deposit(void *amount) {
  int before = read_balance();
  write_balance(before + *(int *)amount);
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
