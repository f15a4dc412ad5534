// A pair is changed without any lock; whoever looks at it must see both changes or none.
#include "../verifier.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int a, b;

void *set(void *p) {
  a = 1;
  b = -1;
  return p;
}

void *look(void *p) {
  check((a == 0 && b == 0) || (a == 1 && b == -1));
  return p;
}

int main(void) {
  pthread_t s = start(set, 0), l = start(look, 0);
  join(s);
  join(l);
}
