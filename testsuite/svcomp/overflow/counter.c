// Two threads count up from just below the largest number, which the second one exceeds.
#include <limits.h>
#include "../verifier.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n = INT_MAX - 1;

void *count(void *p) {
  pthread_mutex_lock(&m);
  n++;
  pthread_mutex_unlock(&m);
  return p;
}

int main(void) {
  pthread_t a = start(count, 0), b = start(count, 0);
  join(a);
  join(b);
}
