// A thread, and one that it creates, use the handle that the creator has stored.
#include "../verifier.h"

static pthread_t first;
static pthread_t second;

static void *inner(void *arg) {
  check(first != 0 && second != 0);
  return 0;
}

static void *outer(void *arg) {
  check(pthread_equal(first, pthread_self()));
  pthread_create(&second, 0, inner, 0);
  pthread_join(second, 0);
  return 0;
}

int main(void) {
  pthread_create(&first, 0, outer, 0);
  pthread_join(first, 0);
  return 0;
}
