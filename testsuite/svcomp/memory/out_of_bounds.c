// Both threads count the index up; the third cell is not there.
#include "../verifier.h"

_Atomic int used;
int cells[2];

void *work(void *p) {
  for (int i = 0; i < 2; i++)
    cells[used++] = 1;
  return p;
}

int main(void) {
  pthread_t t = start(work, 0);
  work(0);
  join(t);
}
