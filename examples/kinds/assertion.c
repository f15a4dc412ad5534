// Two customers, and one ticket left.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int tickets = 1;

static void *customer(void *unused) {
  if (tickets > 0)
    tickets--; // it may have been sold in between
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
