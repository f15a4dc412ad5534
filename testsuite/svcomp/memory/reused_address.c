// The stale pointer is used after enough blocks have come and gone for its address to be given out again.
#include <stdlib.h>
#include "../verifier.h"

int main(void) {
  int *stale = malloc(sizeof *stale);
  free(stale);
  for (int i = 0; i < 4; i++)
    free(malloc(sizeof(int)));
  int *fresh = malloc(sizeof *fresh);
  *stale = 1;
  free(fresh);
}
