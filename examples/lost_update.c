#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int balance = 100;

void *deposit(void *arg) {
  int seen = balance;
  balance = seen + 10; // somebody else may have deposited in between
  return arg;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, deposit, 0);
  pthread_create(&second, 0, deposit, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(balance == 120);
}
