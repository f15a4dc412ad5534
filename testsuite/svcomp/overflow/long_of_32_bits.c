// A long of four bytes is full.
#include "../verifier.h"

int main(void) {
  long x = 2147483647;
  x++;
  return x == 0;
}
