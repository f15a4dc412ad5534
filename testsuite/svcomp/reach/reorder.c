// A pair is changed under a lock; whoever looks at it must see both changes or none.
#include "../verifier.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int a, b;

void *set(void *p) {
  pthread_mutex_lock(&m);
  a = 1;
  b = -1;
  pthread_mutex_unlock(&m);
  return p;
}

void *look(void *p) {
  pthread_mutex_lock(&m);
  check((a == 0 && b == 0) || (a == 1 && b == -1));
  pthread_mutex_unlock(&m);
  return p;
}

int main(void) {
  pthread_t s = start(set, 0), l = start(look, 0);
  join(s);
  join(l);
}
