// For one value of the input something is written without the lock.
#include "../verifier.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int data;

void *work(void *p) {
  int n = *(int *)p;
  if (n > 17)
    pthread_mutex_lock(&m);
  if (n >= 17)
    data++;
  if (n > 17)
    pthread_mutex_unlock(&m);
  return p;
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  pthread_t t = start(work, &n);
  work(&n);
  join(t);
}
