// One thread pushes twice, the other pops twice, under the lock. Who pops looks first.
#include "../verifier.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int top;

void *push(void *p) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&m);
    top++;
    pthread_mutex_unlock(&m);
  }
  return p;
}

void *pop(void *p) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&m);
    if (top > 0)
      check(top > 0);
    if (top > 0)
      top--;
    pthread_mutex_unlock(&m);
  }
  return p;
}

int main(void) {
  pthread_t a = start(push, 0), b = start(pop, 0);
  join(a);
  join(b);
}
