// Two files: the thread of the other one sees the flag or does not.
#include <pthread.h>

_Atomic int ready;

void reach_error(void) {}
extern void *work(void *);

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  ready = 1;
  pthread_join(t, 0);
}
