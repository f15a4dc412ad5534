// Which thread writes depends on a flag that no longer changes: never both of them.
#include "../verifier.h"

int flag, data;

void *work(void *p) {
  if (flag)
    data++;
  return p;
}

int main(void) {
  flag = __VERIFIER_nondet_bool();
  pthread_t t = start(work, 0);
  if (!flag)
    data++;
  join(t);
  check(data == 1);
}
