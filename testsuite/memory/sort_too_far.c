//@ verdict: unsafe(memory)
#include <stdlib.h>

static int compare(const void *a, const void *b) { return (a > b) - (a < b); }

int main(void) {
  int numbers[3] = {3, 1, 2};
  qsort(numbers, 4, sizeof(int), compare); //~ memory
  return 0;
}
