// A global variable points to the block until the end; it was never freed, but it is not lost.
#include <stdlib.h>
#include "../verifier.h"

int *block;

int main(void) {
  block = malloc(sizeof *block);
  *block = 1;
}
