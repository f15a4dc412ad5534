//@ verdict: unsafe(data-race)
// Freeing counts as writing every byte.
#include <pthread.h>
#include <stdlib.h>
static int *p;

static void *reader(void *arg) {
  return *p ? arg : 0; //~ data-race //~ memory
}

int main(void) {
  p = malloc(sizeof *p);
  *p = 1;
  pthread_t t;
  pthread_create(&t, 0, reader, 0);
  free(p); //~ data-race
  pthread_join(t, 0);
  return 0;
}
