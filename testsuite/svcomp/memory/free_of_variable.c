// A variable is not on the heap.
#include <stdlib.h>
#include "../verifier.h"

int x;

int main(void) { free(&x); }
