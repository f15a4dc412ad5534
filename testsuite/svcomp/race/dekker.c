// Dekker: two flags and a turn keep two threads apart, as long as memory is sequentially consistent. The flags are
// plain, and race.
#include "../verifier.h"

int wants0, wants1, turn;
int inside;

void *zero(void *p) {
  wants0 = 1;
  while (wants1) {
    if (turn != 0) {
      wants0 = 0;
      while (turn != 0) {
      }
      wants0 = 1;
    }
  }
  inside = 0;
  check(inside == 0);
  turn = 1;
  wants0 = 0;
  return p;
}

void *one(void *p) {
  wants1 = 1;
  while (wants0) {
    if (turn != 1) {
      wants1 = 0;
      while (turn != 1) {
      }
      wants1 = 1;
    }
  }
  inside = 1;
  check(inside == 1);
  turn = 0;
  wants1 = 0;
  return p;
}

int main(void) {
  pthread_t a = start(zero, 0), b = start(one, 0);
  join(a);
  join(b);
}
