//@ verdict: unsafe(memory)
// Nothing orders the two: whether it shows as a use after free or as a race depends on the order explored.
#include <pthread.h>
#include <stdlib.h>
static int *p;

static void *releaser(void *arg) {
  free(p); //~ data-race
  return 0;
}

static void *user(void *arg) {
  *p = 1; //~ memory //~ data-race
  return 0;
}

int main(void) {
  pthread_t a, b;
  p = malloc(sizeof *p);
  pthread_create(&a, 0, releaser, 0);
  pthread_create(&b, 0, user, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
