// Who does not get the lock gives up. Both may get it, one after the other; none finds the other one inside.
#include "../verifier.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int inside;

void *work(void *p) {
  if (pthread_mutex_trylock(&m) == 0) {
    check(++inside == 1);
    inside--;
    pthread_mutex_unlock(&m);
  }
  return p;
}

int main(void) {
  pthread_t a = start(work, 0), b = start(work, 0);
  join(a);
  join(b);
}
