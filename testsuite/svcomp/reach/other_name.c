// The property names a function of this program; `reach_error` is a function like any other.
#include "../verifier.h"

_Atomic int x;

void unreachable_state(void) { x = 2; }

void *work(void *p) {
  x = 1;
  return p;
}

int main(void) {
  pthread_t t = start(work, 0);
  reach_error();
  if (x == 1)
    unreachable_state();
  join(t);
}
