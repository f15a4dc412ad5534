// A thread waits for a flag once. POSIX lets it wake up without a signal.
#include "../verifier.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int flag;

void *work(void *p) {
  pthread_mutex_lock(&m);
  flag = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return p;
}

int main(void) {
  pthread_t t = start(work, 0);
  pthread_mutex_lock(&m);
  if (!flag)
    pthread_cond_wait(&c, &m);
  check(flag);
  pthread_mutex_unlock(&m);
  join(t);
}
