// The last access comes behind the unlock.
#include "../verifier.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int data;

void *work(void *p) {
  pthread_mutex_lock(&m);
  data++;
  pthread_mutex_unlock(&m);
  return p;
}

int main(void) {
  pthread_t t = start(work, 0);
  pthread_mutex_lock(&m);
  data++;
  pthread_mutex_unlock(&m);
  data++;
  join(t);
}
