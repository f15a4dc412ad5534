// Looking and buying are one step: who was not fast enough looks again.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int tickets = 1;

static void *customer(void *unused) {
  int seen = tickets;
  while (seen > 0 && !atomic_compare_exchange_strong(&tickets, &seen, seen - 1))
    ;
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, customer, 0);
  pthread_create(&second, 0, customer, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(tickets >= 0);
}
