//@ verdict: safe
//@ output: 42 -7 ff|  x|hello %|3.50|18446744073709551615
//@ native: run
#include <stdio.h>

int main(void) {
  printf("%d %i %x|%3c|%s %%|%.2f|%lu\n", 42, -7, 255, 'x', "hello", 3.5, ~0ul);
  return 0;
}
