// The only pointer to the block is overwritten.
#include <stdlib.h>
#include "../verifier.h"

int main(void) {
  int *block = malloc(sizeof *block);
  *block = 1;
  block = 0;
}
