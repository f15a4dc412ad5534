// The block is freed when the thread has ended.
#include <stdlib.h>
#include "../verifier.h"

void *work(void *p) {
  *(int *)p = 1;
  return 0;
}

int main(void) {
  int *block = malloc(sizeof *block);
  join(start(work, block));
  check(*block == 1);
  free(block);
}
