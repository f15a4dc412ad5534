// A device for one user at a time gives up when there are two.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int users;

static void *print_page(void *unused) {
  if (atomic_fetch_add(&users, 1) > 0)
    abort();
  atomic_fetch_sub(&users, 1);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, print_page, 0);
  print_page(0);
  pthread_join(other, 0);
}
