// The lock is chosen from an array: the same one for both threads only if the choice is 0.
#include "../verifier.h"

pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int data;

void *work(void *p) {
  pthread_mutex_lock(p);
  data++;
  pthread_mutex_unlock(p);
  return p;
}

int main(void) {
  pthread_t t = start(work, &m[0]);
  work(&m[__VERIFIER_nondet_bool()]);
  join(t);
}
