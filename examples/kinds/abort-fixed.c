// A lock keeps the second user waiting.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t device = PTHREAD_MUTEX_INITIALIZER;
static atomic_int users;

static void *print_page(void *unused) {
  pthread_mutex_lock(&device);
  if (atomic_fetch_add(&users, 1) > 0)
    abort();
  atomic_fetch_sub(&users, 1);
  pthread_mutex_unlock(&device);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, print_page, 0);
  print_page(0);
  pthread_join(other, 0);
}
