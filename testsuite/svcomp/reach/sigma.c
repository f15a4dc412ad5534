// Three threads each count in a cell of their own; the cells are added up behind the joins.
#include "../verifier.h"

int parts[3], sum;

void *work(void *p) {
  *(int *)p += 1;
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
