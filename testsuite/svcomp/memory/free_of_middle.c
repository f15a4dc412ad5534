// What is freed is not what was allocated.
#include <stdlib.h>
#include "../verifier.h"

int main(void) {
  char *block = malloc(4);
  free(block + __VERIFIER_nondet_bool());
}
