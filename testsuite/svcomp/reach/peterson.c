// Peterson: a thread waits only while the other one wants to enter and has the turn.
#include "../verifier.h"

_Atomic int wants0, wants1, turn;
int inside;

void *zero(void *p) {
  wants0 = 1;
  turn = 1;
  while (wants1 && turn == 1) {
  }
  inside = 0;
  check(inside == 0);
  wants0 = 0;
  return p;
}

void *one(void *p) {
  wants1 = 1;
  turn = 0;
  while (wants0 && turn == 0) {
  }
  inside = 1;
  check(inside == 1);
  wants1 = 0;
  return p;
}

int main(void) {
  pthread_t a = start(zero, 0), b = start(one, 0);
  join(a);
  join(b);
}
