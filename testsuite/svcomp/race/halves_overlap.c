// Each thread has half of the array, and one of them a cell more.
#include "../verifier.h"

int cells[4];

static void fill(int from, int to) {
  for (int i = from; i < to; i++)
    cells[i] = i;
}

void *low(void *p) {
  fill(0, 3);
  return p;
}

int main(void) {
  pthread_t t = start(low, 0);
  fill(2, 4);
  join(t);
  for (int i = 0; i < 4; i++)
    check(cells[i] == i);
}
