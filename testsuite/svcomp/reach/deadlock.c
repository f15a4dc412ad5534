// Two locks in two orders: some executions end in a deadlock, which is no violation of any property. In the others nothing
// is wrong.
#include "../verifier.h"

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int data;

void *other(void *p) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  data++;
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return p;
}

int main(void) {
  pthread_t t = start(other, 0);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  data++;
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  join(t);
  check(data == 2);
}
