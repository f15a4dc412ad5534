// A type that every sum fits into.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long long balance = 2000000000;

static void book(int amount) {
  pthread_mutex_lock(&lock);
  balance += amount;
  pthread_mutex_unlock(&lock);
}

static void *withdraw(void *unused) {
  book(-500000000);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, withdraw, 0);
  book(400000000);
  pthread_join(thread, 0);
}
