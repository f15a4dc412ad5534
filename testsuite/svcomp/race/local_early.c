// A thread writes a local variable of `main`, which reads it before the join.
#include "../verifier.h"

void *work(void *p) {
  *(int *)p = 1;
  return p;
}

int main(void) {
  int local = 0;
  pthread_t t = start(work, &local);
  check(local <= 1);
  join(t);
}
