// The second datum is made from the first one, each under its own lock. The first lock is held until both are there.
#include "../verifier.h"

pthread_mutex_t ma = PTHREAD_MUTEX_INITIALIZER, mb = PTHREAD_MUTEX_INITIALIZER;
int first, second;

void *write(void *p) {
  pthread_mutex_lock(&ma);
  first = 1;
  pthread_mutex_lock(&mb);
  second = 2;
  pthread_mutex_unlock(&mb);
  pthread_mutex_unlock(&ma);
  return p;
}

void *read(void *p) {
  pthread_mutex_lock(&ma);
  int seen = first;
  pthread_mutex_unlock(&ma);
  if (seen) {
    pthread_mutex_lock(&mb);
    check(second == 2);
    pthread_mutex_unlock(&mb);
  }
  return p;
}

int main(void) {
  pthread_t w = start(write, 0), r = start(read, 0);
  join(w);
  join(r);
}
