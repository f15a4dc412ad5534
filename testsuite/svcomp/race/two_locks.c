// Both hold a lock, but not the same one.
#include "../verifier.h"

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int data;

void *work(void *p) {
  pthread_mutex_lock(p);
  data++;
  pthread_mutex_unlock(p);
  return p;
}

int main(void) {
  pthread_t s = start(work, &a), t = start(work, &b);
  join(s);
  join(t);
}
