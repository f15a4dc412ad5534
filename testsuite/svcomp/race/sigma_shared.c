// Three threads count in one variable: two may read the same value, and one of the increments is lost.
#include "../verifier.h"

int parts[3], sum;

void *work(void *p) {
  sum++;
  return p;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++)
    t[i] = start(work, &parts[i]);
  for (int i = 0; i < 3; i++)
    join(t[i]);
  for (int i = 0; i < 3; i++)
    sum += parts[i];
  check(sum == 3);
}
