//@ verdict: unsafe(data-race)
// The thread is not joined: its write races with main's read.
#include <pthread.h>
static int x;

static void *writer(void *arg) {
  x = 1; //~ data-race
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  pthread_detach(t);
  return x; //~ data-race
}
