// Three threads take the lock once each. The sum is 0, 1, 2 or 3 when the third one looks: 3 if it comes last, and never more.
#include "../verifier.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int data;

void *one(void *p) {
  pthread_mutex_lock(&m);
  data += 1;
  pthread_mutex_unlock(&m);
  return p;
}

void *two(void *p) {
  pthread_mutex_lock(&m);
  data += 2;
  pthread_mutex_unlock(&m);
  return p;
}

void *look(void *p) {
  pthread_mutex_lock(&m);
  check(data <= 3);
  pthread_mutex_unlock(&m);
  return p;
}

int main(void) {
  pthread_t a = start(one, 0), b = start(two, 0), c = start(look, 0);
  join(a);
  join(b);
  join(c);
}
