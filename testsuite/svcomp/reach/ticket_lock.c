// A ticket lock: each thread draws a number and waits for its turn.
#include "../verifier.h"

_Atomic unsigned next, now;
int inside;

void *work(void *p) {
  unsigned mine = next++;
  while (now != mine) {
  }
  inside++;
  check(inside == 1);
  inside--;
  now++;
  return p;
}

int main(void) {
  pthread_t a = start(work, 0), b = start(work, 0);
  join(a);
  join(b);
}
